create or replace function app.foreseen_bill(p_entries app.bill_entry[], p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(app.bill_json(f.row) - 'id' order by f.ordinality), '[]')
  from (
    select e.ordinality, (
      null, e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
      b.brokerage_price + sum(e.brokerage_delta) over up_to, b.frozen_points + sum(e.frozen_delta) over up_to,
      b.available_points + sum(e.available_delta) over up_to,
      e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id, e.withdrawal_id, e.adjustment_id, p_now
    )::app.user_bill as row
    from unnest(p_entries) with ordinality as e
    join app.user_balances as b on b.uid = e.uid
    window up_to as (partition by e.uid order by e.ordinality)
  ) as f
$$;

comment on function app.foreseen_bill is
  'Returns bill entries that are not booked in the form of bill rows: without an id, with the balances that would follow each.';
