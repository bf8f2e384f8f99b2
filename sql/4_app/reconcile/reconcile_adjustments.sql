create or replace function app.reconcile_adjustments(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    with booked as (
      select
        l.adjustment_id as id, min(l.uid) as uid, count(*) as rows, sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available, min(l.add_time) as booked_at
      from app.user_bill as l
      where l.uid between p_from and p_to and l.add_time >= v_since and l.adjustment_id is not null
      group by l.adjustment_id
    ),
    stated as (
      select a.id, a.uid, 1::bigint as rows, a.brokerage_delta as brokerage, a.frozen_delta as frozen, a.available_delta as available, a.decided_at as booked_at
      from app.adjustments as a
      where a.uid between p_from and p_to and a.decided_at >= v_since and a.state = 'booked'
    )
    select
      'adjustment_equals_its_bill_row', format('adjustment %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.brokerage, s.frozen, s.available, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.booked_at)),
      concat_ws(' ', b.brokerage, b.frozen, b.available, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.booked_at))
    from stated as s
    full join booked as b on b.id = s.id
    where (s.uid, s.rows, s.brokerage, s.frozen, s.available, s.booked_at)
      is distinct from (b.uid, b.rows, b.brokerage, b.frozen, b.available, b.booked_at);
end
$$;

comment on function app.reconcile_adjustments is
  'Finds booked adjustments without exactly one bill row of their amounts, and bill rows of adjustments that were not booked. With p_since, those booked since then.';
