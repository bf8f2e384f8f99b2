-- Anyone can send such notifications. Beyond the limit, a call costs one index lookup and writes nothing.
-- Locks: an advisory lock, tried without waiting. A notification that arrives while another one is being recorded is not
-- recorded.
-- Not idempotent: each call is one notification.
create or replace function app.record_unverified(p_provider text, p_reason text, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_kept integer;
begin
  if not pg_try_advisory_xact_lock(app.lock_number('unverified_notifications')) then
    return false;
  end if;
  select count(*) into v_kept from (
    select from app.payment_notifications as n
    where n.provider = p_provider and n.outcome = 'unverified' and n.add_time > p_now - interval '1 hour'
    limit 20
  ) as recent;
  if v_kept < 20 then
    insert into app.payment_notifications (provider, outcome, reason, add_time) values (p_provider, 'unverified', p_reason, p_now);
  end if;
  return v_kept < 20;
end
$$;

comment on function app.record_unverified is
  'Records that a notification could not be verified, and returns whether a row was written. Records at most 20 for each '
  'provider and hour, and nothing of the content.';
