-- A reversal states the basis that is left, so what is left after it is that basis times the rate of what it reverses.
create or replace function app.reconcile_reversals(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with reversals as materialized (
      select
        l.*, case l.type when 'brokerage_reversal' then 'brokerage' else 'frozen_points_brokerage' end as reversed_type,
        sum(l.brokerage_delta + l.frozen_delta + l.available_delta) over (partition by l.reverses_id order by l.id) as reversed
      from app.user_bill as l
      where l.order_id between p_from and p_to and l.reverses_id is not null and not app.is_order_archived(l.order_id)
    ),
    grants as materialized (
      select l.* from app.user_bill as l where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    )
    select
      'reversal_equals_what_it_reverses', format('bill %s of order %s', r.id, r.order_id),
      case when g.id is null then 'a grant' else concat_ws(' ', 'order', g.order_id, g.type, g.source, 'of uid', g.uid, 'rate', g.rate, 'level', g.agent_level) end,
      concat_ws(' ', 'order', r.order_id, r.reversed_type, r.source, 'of uid', r.uid, 'rate', r.rate, 'level', r.agent_level)
    from reversals as r
    left join grants as g on g.id = r.reverses_id
    where (g.order_id, g.type, g.source, g.uid, g.rate, g.agent_level)
      is distinct from (r.order_id, r.reversed_type, r.source, r.uid, r.rate, r.agent_level)
    union all
    select
      'reversal_leaves_basis_times_rate', format('bill %s of order %s', r.id, r.order_id),
      a.remaining::text, (g.brokerage_delta + g.frozen_delta + r.reversed)::text
    from reversals as r
    join grants as g on g.id = r.reverses_id
    cross join lateral (select app.grant_amount(g.type, r.basis, g.rate) as remaining) as a
    where g.brokerage_delta + g.frozen_delta + r.reversed is distinct from a.remaining
    union all
    select 'reversal_has_its_refund', format('bill %s of order %s', r.id, r.order_id), 'a refund', app.utc(r.add_time)::text
    from reversals as r
    where not exists (
      select from app.refunds as f where f.order_id = r.order_id and f.state = 'refunded' and f.decided_at = r.add_time
    );
end
$$;

comment on function app.reconcile_reversals is
  'Finds reversals that differ from the grant that they reverse in member, order, kind, rate or level, that leave another amount '
  'than the basis they state, or that no refund made.';
