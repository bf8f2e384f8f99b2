begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(10);

create temporary table m as select pg_temp.reporter() as own, pg_temp.reporter() as other;
select from m, pg_temp.earn(m.own);
select from m, pg_temp.earn(m.other);
create temporary table w as select pg_temp.withdraw(own, 100) as own, pg_temp.withdraw(other, 200) as other from m;
create temporary table admin as select app.add_administrator(u.auth_id::text) as id from app.users as u, m
  where u.uid = m.own;
create function pg_temp.ask(
  p_function text, p_args jsonb
) returns text language sql as $$ select pg_temp.call(admin.id, p_function, p_args)
  from admin $$;

select is(pg_temp.ask(c.name, jsonb_build_object('p_id', w.own) || c.args), 'PT403 own_account', c.name) from w, (values
  ('approve_withdrawal', '{}'::jsonb), ('refuse_withdrawal', '{"p_reason": "x"}'), ('mark_withdrawal_paid', '{}'),
    ('mark_withdrawal_failed', '{"p_reason": "x"}')
) as c (name, args);
select pg_temp.approve(own), pg_temp.approve(other) from w;
select is(
  pg_temp.ask(
    'create_withdrawal_batch', jsonb_build_object('p_method', 'bank', 'p_ids', jsonb_build_array(w.own, w.other))
  ),
  'PT403 own_account', 'a batch of selected withdrawals is rejected if one is the administrator''s own'
)
from w;
select is(
  pg_temp.ask('create_withdrawal_batch', '{"p_method": "bank"}')::jsonb ->> 'amount', '200.00',
  'a batch of all leaves out the administrator''s own'
);
select is(state, 'approved', 'the administrator''s own withdrawal waits for another administrator')
from app.withdrawals as l, w where l.id = w.own;
update app.withdrawals as l set state = 'paying', paying_at = now(),
  batch_id = (select max(b.id) from app.withdrawal_batches as b)
from w where l.id = w.own;
select is(
  pg_temp.ask('mark_withdrawal_batch_paid', jsonb_build_object('p_id', max(b.id)))::jsonb ->> 'paying', '1',
  'the administrator''s own does not become paid with its batch'
)
from app.withdrawal_batches as b;
select is(state, 'paying', 'it stays paying until another administrator records the payment')
from app.withdrawals as l, w where l.id = w.own;
select is(
  pg_temp.ask('create_withdrawal_batch', '{"p_method": "bank"}'), 'PT409 withdrawal_state_conflict',
  'there is nothing left for a batch'
);

select * from finish();
rollback;
