-- Guarantee money/two-people-payment: Once two people decide about money, nobody pays what they approved
-- By: app.reject_own_approval
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(16);

create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 5) as n;
select from m, pg_temp.earn(m.uid);
create temporary table w as select m.n, pg_temp.withdraw(m.uid, 50) as id from m;
create temporary table admins as select pg_temp.administrator() as one;
create function pg_temp.ask(
  p_by uuid, p_function text, p_n integer, p_args jsonb default '{}'
) returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    p_by, p_function, jsonb_build_object('p_id', (select w.id from w where w.n = p_n)) || p_args
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb ->> 'state' else v_answer end;
end
$$;
create function pg_temp.batch(p_by uuid, p_ids jsonb default null) returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    p_by, 'create_withdrawal_batch', jsonb_strip_nulls(jsonb_build_object('p_method', 'bank', 'p_ids', p_ids))
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb ->> 'withdrawals' else v_answer end;
end
$$;

select is(pg_temp.ask(a.one, 'approve_withdrawal', 1), 'approved', 'the only administrator approves') from admins as a;
select is(pg_temp.ask(a.one, 'mark_withdrawal_paid', 1), 'paid', 'the only administrator pays, too') from admins as a;
alter table admins add two uuid;
update admins set two = pg_temp.administrator();
update app.administrators as d set roles = '{service}' from admins as a where d.auth_id = a.two;
select is(pg_temp.ask(a.one, 'approve_withdrawal', 2), 'approved', 'an administrator approves') from admins as a;
select is(
  pg_temp.ask(a.one, 'mark_withdrawal_paid', 2), 'paid', 'another administrator without the area money changes nothing'
)
from admins as a;

update app.administrators as d set roles = '{finance}' from admins as a where d.auth_id = a.two;
select pg_temp.ask(a.one, 'approve_withdrawal', n) from admins as a, generate_series(3, 4) as n;
select is(
  pg_temp.ask(a.one, 'mark_withdrawal_paid', 3), 'PT409 second_administrator_needed',
  'whoever approved it cannot pay it once two people hold finance or owner'
)
from admins as a;
select is(pg_temp.batch(a.one), 'PT409 second_administrator_needed', 'or put it into a batch') from admins as a;
select is(
  pg_temp.batch(a.one, (select jsonb_agg(w.id) from w where w.n in (3, 4))), 'PT409 second_administrator_needed',
  'or choose it for a batch'
)
from admins as a;
select is(pg_temp.ask(a.two, 'mark_withdrawal_paid', 3), 'paid', 'the other administrator can') from admins as a;
select is(pg_temp.ask(a.one, 'mark_withdrawal_paid', 3), 'paid', 'what is paid is paid for everybody') from admins as a;
select pg_temp.ask(a.two, 'approve_withdrawal', 5) from admins as a;
select is(pg_temp.batch(a.one), '1', 'a batch of all leaves out what its maker approved') from admins as a;
select is(
  (select l.state from app.withdrawals as l join w using (id) where w.n = 4), 'approved',
  'that waits for the other administrator'
);
select is(
  pg_temp.call(a.two, 'mark_withdrawal_batch_paid', jsonb_build_object('p_id', max(b.id))),
  'PT409 second_administrator_needed', 'nobody marks a batch as paid with what they approved'
) from admins as a, app.withdrawal_batches as b group by a.two;
select is(
  pg_temp.call(a.one, 'mark_withdrawal_batch_paid', jsonb_build_object('p_id', max(b.id)))::jsonb ->> 'paid', '1',
  'the other administrator does'
) from admins as a, app.withdrawal_batches as b group by a.one;
select is(
  pg_temp.ask(a.one, 'mark_withdrawal_failed', 4, '{"p_reason": "No"}'), 'failed',
  'that a payment failed can be recorded by either'
)
from admins as a;
select is(
  (select count(*)::int from app.withdrawals as l join w using (id) where l.state = 'paid'), 4, 'four were paid'
);
update auth.users as u set banned_until = now() + interval '1 day' from admins as a where u.id = a.two;
select is(app.other_administrator('money', a.one, null), false, 'a banned administrator is no second one')
from admins as a;

select * from finish();
rollback;
