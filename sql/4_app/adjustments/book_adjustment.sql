-- Precondition: the caller has locked the adjustment, unless it is new, and the balances of the member.
-- Not idempotent: the caller sets the state to booked in the same transaction.
create or replace function app.book_adjustment(p_adjustment app.adjustments)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.book_entries(
    array[(
      p_adjustment.uid, 'adjustment', 'adjustment', p_adjustment.brokerage_delta, p_adjustment.frozen_delta, p_adjustment.available_delta,
      null, null, null, null, null, null, null, p_adjustment.id
    )::app.bill_entry],
    '{}', '{}', p_adjustment.decided_at
  );
end
$$;

comment on function app.book_adjustment is 'Changes the balances of a member as an adjustment says, with one bill row.';
