-- Has no set clause, so that the planner can inline it. With a constant name it costs nothing at run time.
-- Advisory locks ignore null, so an unknown name would lock nothing: test/db/rules/numbers_every_advisory_lock.test.sql.
create or replace function app.lock_number(p_lock text)
returns integer
language sql
immutable
parallel safe
as $$
  select case p_lock
    when 'structure' then 74010001
    when 'balances' then 74010002
    when 'unverified_notifications' then 74010003
    when 'idempotency_key' then 74010004
    when 'unpaid_orders' then 74010005
    when 'addresses' then 74010006
    when 'team_totals' then 74010007
    when 'import' then 74010008
  end
$$;

comment on function app.lock_number is
  'Returns the number of an advisory lock of the store: structure (the referral tree), balances (the queue before balance rows), '
  'unverified_notifications, idempotency_key, unpaid_orders, addresses, team_totals or import.';
