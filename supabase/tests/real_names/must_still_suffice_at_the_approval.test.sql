-- Guarantee privacy/real-names-refused: No withdrawal is approved under a real name that was refused since its request
-- By: app.approve_withdrawal
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
\ir ../support/real_names.psql
grant store_api to postgres;
select plan(8);

create temporary table m as select pg_temp.reporter() as early, pg_temp.reporter() as named;
select from m, pg_temp.earn(m.early);
select from m, pg_temp.earn(m.named);
create temporary table admin as select pg_temp.administrator() as id;
create temporary table w as select pg_temp.withdraw(m.early, 200) as early from m;
select app.set_settings('{"real_name_from": 100, "real_name_check": "none"}', now());
select is(pg_temp.give(m.named), null, 'a member gives a real name') from m;
alter table w add named bigint;
update w set named = pg_temp.withdraw(m.named, 200) from m;
create function pg_temp.ask(
  p_function text, p_args jsonb
) returns text language sql as $$ select pg_temp.call(admin.id, p_function, p_args)
  from admin $$;
create function pg_temp.decide(p_state text, p_reason text default null) returns text language sql as $$
  select pg_temp.ask(
    'decide_real_name',
    jsonb_build_object(
      'p_uid', m.named, 'p_id', (select max(r.id) from app.real_names as r), 'p_state', p_state, 'p_reason', p_reason
    )
  )
  from m
$$;
create function pg_temp.approve_named() returns text language sql as $$ select pg_temp.ask(
  'approve_withdrawal', jsonb_build_object('p_id', w.named)
)
  from w $$;

select pg_temp.decide('refused', 'Another person');
select is(
  pg_temp.approve_named(), 'PT409 withdrawal_state_conflict',
  'a withdrawal is not approved under a real name that was refused since'
);
select is(
  pg_temp.ask('approve_withdrawals', jsonb_build_object('p_ids', jsonb_build_array(w.named))),
  'PT409 withdrawal_state_conflict', 'nor together with others'
) from w;
select is(pg_temp.give(m.named), null, 'the member gives another') from m;
select app.set_settings('{"real_name_check": "administrator"}', now());
select is(
  pg_temp.approve_named(), 'PT409 withdrawal_state_conflict', 'which is checked first, if the settings want it by then'
);
select pg_temp.decide('checked');
select is(pg_temp.approve_named()::jsonb ->> 'state', 'approved', 'and then the withdrawal is approved');
select is(
  pg_temp.ask('approve_withdrawal', jsonb_build_object('p_id', w.early))::jsonb ->> 'state', 'approved',
  'one that was requested before real names were asked for needs none'
) from w;

select pg_temp.decide('refused', 'Another person');
select is(
  pg_temp.ask(
    'refuse_withdrawal', jsonb_build_object('p_id', w.named, 'p_reason', 'Another person')
  )::jsonb ->> 'state',
  'refused', 'one that was approved before the refusal can be refused, too'
)
from w;
select * from finish();
rollback;
