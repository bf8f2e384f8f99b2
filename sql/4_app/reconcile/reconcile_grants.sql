-- A grant of an order is booked in the transaction of its settlement, so both have the same time.
create or replace function app.reconcile_grants(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with grants as materialized (
      select l.* from app.user_bill as l where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    ),
    reversed as (
      select l.reverses_id, sum(l.brokerage_delta + l.frozen_delta + l.available_delta) as amount
      from app.user_bill as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
      group by l.reverses_id
    )
    select
      'grant_has_its_settlement', format('bill %s of order %s', g.id, g.order_id),
      concat_ws(' ', coalesce(s.state, 'no settlement'), s.reason, app.utc(s.settled_at), case when g.source = 'cycle' then s.earner_uid end),
      concat_ws(' ', g.source, app.utc(g.add_time), g.uid)
    from grants as g
    left join app.settlements as s on s.order_id = g.order_id
    where s.order_id is null or s.settled_at <> g.add_time
      or (g.source = 'cycle' and s.earner_uid is distinct from g.uid)
      or s.reason in ('refunded', 'below_minimum', 'zero_base', 'no_referrer', 'imported')
    union all
    select
      'order_grants_each_kind_once', format('order %s', g.order_id), '1',
      format('%s of %s %s of uid %s', count(*), g.source, g.type, g.uid)
    from grants as g
    group by g.order_id, g.uid, g.type, g.source
    having count(*) > 1
    union all
    select
      'remaining_grant_equals_what_is_left', format('bill %s of order %s', g.id, g.order_id), a.amount::text, t.remaining::text
    from grants as g
    join app.orders as o on o.id = g.order_id
    join app.settlements as s on s.order_id = g.order_id
    left join reversed as r on r.reverses_id = g.id
    cross join lateral (
      select app.grant_amount(g.type, app.basis_left(g.type, g.source, o.queue_base, o.queue_units, s.rate), g.rate) as amount
    ) as a
    cross join lateral (select g.brokerage_delta + g.frozen_delta + coalesce(r.amount, 0) as remaining) as t
    where t.remaining <> a.amount;
end
$$;

comment on function app.reconcile_grants is
  'Finds grants without a settlement that could have made them, grants that an order made twice, and grants whose remainder '
  'differs from what the rest of the order should pay.';
