-- Locks: the order, the refund at the provider.
-- Raises: refund_not_found, invalid_argument.
-- Idempotent: a decided refund stays as it is.
create or replace function app.record_refund_state(p_refund_no text, p_state text, p_provider_ref text, p_reason text, p_now timestamptz)
returns app.provider_refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  if p_state is null or p_state not in ('accepted', 'succeeded', 'failed') then
    perform app.fail('invalid_argument', 'The state of a refund must be accepted, succeeded or failed.');
  end if;
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no;
  if not found then
    perform app.fail('refund_not_found');
  end if;
  perform app.lock_order(v_refund.order_id);
  update app.provider_refunds as r
  set state = case p_state when 'accepted' then r.state else p_state end, provider_ref = coalesce(p_provider_ref, r.provider_ref),
      reason = case p_state when 'failed' then coalesce(p_reason, 'refused') end,
      decided_at = case when p_state <> 'accepted' then app.effect_time(p_now) end
  where r.refund_no = p_refund_no and r.state = 'refunding';
  if p_state <> 'accepted' then
    perform app.finish_outbox('refund_payment', p_refund_no);
  end if;
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no;
  return v_refund;
end
$$;

comment on function app.record_refund_state is
  'Records the state of a refund at its provider: accepted (not decided yet), succeeded or failed, and returns it.';
