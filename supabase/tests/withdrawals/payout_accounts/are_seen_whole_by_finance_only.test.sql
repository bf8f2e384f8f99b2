-- Guarantee access/account-numbers: Only administrators with the area money see whole account numbers
-- By: api.admin_get_withdrawal
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(13);

create temporary table m as select pg_temp.reporter() as a;
select from m, pg_temp.earn(m.a);
create temporary table w as select pg_temp.withdraw((select a from m), 100) as id;
create temporary table admins as select r.role, pg_temp.administrator() as id
  from (values ('owner'), ('finance'), ('service'), ('content')) as r (role);
update app.administrators as a set roles = array[m.role] from admins as m where m.id = a.auth_id;

create function pg_temp.ask(p_role text, p_function text, p_args jsonb default '{}') returns text language sql as $$
  select pg_temp.call(a.id, p_function, p_args) from admins as a where a.role = p_role
$$;
select is(pg_temp.ask(role, 'admin_get_withdrawal', jsonb_build_object('p_id', w.id))::jsonb -> 'payee',
  case
    when role in ('owner', 'finance')
      then '{"holder": "Chen Jing", "account_no": "6222021234567890128", "bank": "ICBC"}'::jsonb
    else 'null'
  end,
  format('%s', role)) from admins, w where role <> 'content' order by role;
select is(
  pg_temp.ask(role, 'admin_get_withdrawals') ~ '6222021234567890128|Chen Jing', false,
  format('no whole number and no holder in the list, %s', role)
)
from admins where role <> 'content' order by role;
select is(
  pg_temp.ask('content', f.name, f.args), 'PT403 forbidden', format('the role content sees no withdrawal: %s', f.name)
)
from w,
  lateral (
    values ('admin_get_withdrawal', jsonb_build_object('p_id', w.id)), ('admin_get_withdrawals', '{}')
  ) as f (name, args);

select is(
  pg_temp.ask('finance', 'approve_withdrawal', jsonb_build_object('p_id', w.id))::jsonb ->> 'state', 'approved',
  'finance approves'
)
from w;
create temporary table b as select (
  pg_temp.ask('owner', 'create_withdrawal_batch', '{"p_method": "bank"}')::jsonb ->> 'id'
)::bigint as id;
select is(
  pg_temp.ask(
    'finance', 'get_withdrawal_batch_rows', jsonb_build_object('p_id', b.id)
  )::jsonb #>> '{lines,0,account_no}',
  '6222021234567890128', 'the file of a batch has unmasked numbers'
)
from b;
select matches(
  pg_temp.ask('service', 'get_withdrawal_batch_rows', jsonb_build_object('p_id', b.id)), '^PT403 forbidden',
  'nobody but finance gets the file of a batch'
)
from b;
select is(
  pg_temp.ask(
    'finance', 'mark_withdrawal_failed',
    jsonb_build_object('p_id', w.id, 'p_reason', 'Chen Jing does not own 6222021234567890128')
  )::jsonb ->> 'state',
  'failed', 'the payment fails'
)
from w;
select is_empty(
  $$ select * from app.admin_actions as a
  where concat(a.from_value, a.to_value) ~ '622|Chen|ICBC' $$, 'the action log has no account, no name and no reason'
);

select * from finish();
rollback;
