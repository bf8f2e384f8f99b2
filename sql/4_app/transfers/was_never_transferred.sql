-- WeChat keeps transfers for 30 days, so one that it does not know 29 days after the first request never began. A request of the worker
-- ends within seconds, so none is under way after an hour.
create or replace function app.was_never_transferred(p_withdrawal app.withdrawals, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from app.transfers as t
    where t.withdrawal_id = p_withdrawal.id and p_withdrawal.transfer_state is null and (t.cancel_at is not null or t.openid is null)
      and (t.asked_at is null or (t.asked_at <= p_now - interval '1 hour' and not app.may_be_forgotten(t, p_now)))
  )
$$;

comment on function app.was_never_transferred is
  'Returns whether a transfer that WeChat does not know never began: the store has cancelled it, WeChat has never reported it, and the '
  'last request is more than an hour old.';
