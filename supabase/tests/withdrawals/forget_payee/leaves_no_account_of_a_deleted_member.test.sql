begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(11);

create temporary table m as select pg_temp.reporter() as ended, pg_temp.reporter() as open;
select from m, pg_temp.earn(m.ended);
select from m, pg_temp.earn(m.open);
create temporary table w as select pg_temp.withdraw(ended, 100) as ended, pg_temp.withdraw(open, 100) as open from m;
select pg_temp.approve(ended) from w;
create temporary table b as select (app.create_withdrawal_batch('bank', null, null, null, now())).id;
select from w, app.move_withdrawal(app.lock_withdrawal(w.ended), 'failed', now(), 'Chen Jing is not the holder');
delete from auth.users where id in (select u.auth_id from app.users as u, m where u.uid in (m.ended, m.open));

select is_empty('select from app.payout_accounts', 'the accounts are deleted');
select is_empty(
  $$ select from app.withdrawals where account_hint <> '' or account_id is not null $$, 'the masked numbers are deleted'
);
select is_empty($$ select from app.withdrawals where reason ~ 'Chen' $$, 'the reasons are deleted');
select set_eq(
  $$ select state, amount
  from app.withdrawals $$, $$ values ('failed', 100.00), ('requested', 100.00) $$, 'states and amounts stay'
);

create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.ask(
  p_function text, p_args jsonb
) returns text language sql as $$ select pg_temp.call(admin.id, p_function, p_args)
  from admin $$;
select is(
  pg_temp.ask('get_withdrawal_batch_rows', jsonb_build_object('p_id', b.id))::jsonb -> 'lines' -> 0 -> 'account_no',
  'null', 'the file of a batch keeps the row, without the account'
)
from b;
select is(
  pg_temp.ask('approve_withdrawal', jsonb_build_object('p_id', w.open)), 'PT404 account_not_found',
  'an open withdrawal cannot be approved'
)
from w;
select pg_temp.approve(open) from w;
select is(
  pg_temp.ask('create_withdrawal_batch', '{"p_method": "bank"}'), 'PT409 withdrawal_state_conflict',
  'a withdrawal that was approved before the deletion is in no batch'
);
select app.set_settings('{"tax_method": "per_payment"}', now());
create function pg_temp.pay() returns text language plpgsql as $$
declare
  v_detail text;
begin
  perform app.move_withdrawal(app.lock_withdrawal(w.open), 'paid', now()) from w;
  return null;
exception when sqlstate 'PT409' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail;
end
$$;
select alike(
  pg_temp.pay(), '%The member was deleted, and the account with them. Refuse this withdrawal.%',
  'if tax is withheld, nor can it be paid by hand, and the response says what to do'
);
select app.set_settings('{"tax_method": "none"}', now());
select is(
  pg_temp.ask('refuse_withdrawal', jsonb_build_object('p_id', w.open, 'p_reason', 'Deleted'))::jsonb ->> 'state',
  'refused', 'an open withdrawal can be refused'
)
from w;
select is(pg_temp.money(open), '720.00 of 720.00', 'the amount of a refused withdrawal returns') from m;
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
