-- Orders that were settled out of sequence, with the difference in money and what would adjust it.

create or replace function app.sequence_reason()
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select 'Orders were settled out of the sequence of their payments'
$$;

comment on function app.sequence_reason is
  'Returns the reason of the adjustments that app.adjust_sequence makes, by which it recognizes them.';

-- Everything since the first such order is replayed with the engine, because places, levels and refunds follow from one
-- another.
create or replace function app.sequence_differences(p_max_orders integer default 20000)
returns table (uid bigint, nickname text, commission numeric, points numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from timestamptz := (select min(w.settled_at) from app.paid_positions() as w);
begin
  if v_from is null then
    return;
  end if;
  return query
    select m.uid, m.nickname, d.commission, d.points
    from jsonb_to_recordset(
      app.simulate(
        null, null, v_from, clock_timestamp() + interval '1 day', p_max_orders, 2147483647, true
      ) -> 'members'
    ) as m (uid bigint, nickname text, commission numeric, points numeric, paid_commission numeric, paid_points numeric)
    left join (
      select d.uid, sum(d.brokerage_delta) as commission, sum(d.frozen_delta + d.available_delta) as points
      from app.adjustments as d where d.reason = app.sequence_reason() and d.state <> 'refused'
      group by d.uid
    ) as a on a.uid = m.uid
    -- Null is no limit.
    cross join lateral (select case when app.gave_up(m.uid) then 0 end as most) as g
    cross join lateral (
      select least(m.commission - m.paid_commission - coalesce(a.commission, 0), g.most) as commission,
        least(m.points - m.paid_points - coalesce(a.points, 0), g.most) as points
    ) as d
    where (d.commission, d.points) <> (0, 0)
    order by m.uid;
end
$$;

comment on function app.sequence_differences is
  'Returns for each member what was paid too little (positive) or too much (negative) because batches were settled '
  'out of the sequence of payments (app.paid_positions), less what was adjusted (app.adjust_sequence). Members who '
  'gave up what they had get nothing more. Raises simulation_too_large beyond p_max_orders.';

-- Locks: balances of the members, by uid.
-- Idempotent: what was adjusted is no difference any more.
create or replace function app.adjust_sequence(p_max_orders integer default 20000)
returns setof app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member record;
  v_frozen numeric;
begin
  perform app.lock_structure();
  for v_member in select d.* from app.sequence_differences(p_max_orders) as d order by d.uid loop
    -- Frozen points never become negative: what they do not have is taken from available points, as by a refund.
    perform app.lock_balances(array[v_member.uid]);
    v_frozen := (
      select greatest(v_member.points, -b.frozen_points) from app.user_balances as b where b.uid = v_member.uid
    );
    return next app.create_adjustment(
      v_member.uid, v_member.commission, v_frozen, v_member.points - v_frozen, app.sequence_reason(), null, null
    );
  end loop;
end
$$;

comment on function app.adjust_sequence is
  'Makes one adjustment for each member of app.sequence_differences, as the owner of the database, and returns them.';
