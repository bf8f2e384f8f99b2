-- Checks of reconciliation: what refund requests hold, and what members who left may not have.

-- Few requests are open, so this is small. What is maturing is proved by app.reconcile_maturities.
create or replace function app.reconcile_holds()
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return query
    with earned as (
      select s.earner_uid as uid, sum(l.amount) as amount
      from app.refunds as r
      join app.orders as o on o.id = r.order_id
      join app.settlements as s on s.order_id = r.order_id
      join app.users as u on u.uid = s.earner_uid and u.left_at is null
      join app.commission_plans as p on p.version = s.order_plan_version
      cross join lateral (
        select sum(b.brokerage_delta) as amount from app.bill(s.settled_at, 'infinity') as b
        where b.order_id = r.order_id offset 0
      ) as l
      where r.state = 'requested' and s.commission > 0
        and app.matures_at(o.received_at, s.settled_at, p.holding_days) <= v_now and exists (
        select from app.refund_lines as x join app.order_lines as q on q.id = x.line_id
        where x.refund_id = r.id and q.is_queue_goods
      )
      group by s.earner_uid
    ),
    members as (
      select e.uid from earned as e union select h.uid from app.held_at(null, v_now) as h
    ),
    held as (
      select
        m.uid, least(
          greatest(
            b.brokerage_price - coalesce((select sum(c.amount_left) from app.maturing(m.uid, v_now) as c), 0.00), 0.00
          ),
          coalesce(e.amount, 0.00)
        ) as anew, (app.commission_parts(m.uid, v_now)).held_by_refunds as shown,
        coalesce(o.held_by_refunds, 0.00) as listed
      from members as m
      join app.user_balances as b on b.uid = m.uid
      left join earned as e on e.uid = m.uid
      left join lateral app.owed_at(null, v_now, m.uid - 1, m.uid) as o on true
    )
    select 'held_equals_the_open_requests', format('user %s', h.uid), h.anew::text, concat_ws(' ', h.shown, h.listed)
    from held as h where h.anew <> h.shown or h.anew <> h.listed;
end
$$;

comment on function app.reconcile_holds is
  'Finds members whose held commission, as they or the liabilities show it, is not what the bill rows of the '
  'requested orders say.';

create or replace function app.reconcile_leavers(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with leavers as (
      select u.uid, u.left_at, u.left_position, b.brokerage_price, b.frozen_points, b.available_points
      from app.users as u join app.user_balances as b on b.uid = u.uid
      where u.uid between p_from and p_to and u.left_position is not null
    )
    select 'nobody_earns_after_leaving', format('order %s', s.order_id), 'another earner, or none',
      format('uid %s', l.uid)
    from leavers as l join app.settlements as s on s.earner_uid = l.uid and s.position > l.left_position
    union all
    select 'nobody_gets_points_after_leaving', format('bill %s', g.id), 'no points',
      format('%s of uid %s', g.frozen_delta, l.uid)
    from leavers as l
    join lateral app.bill(l.left_at, 'infinity') as g on g.uid = l.uid and g.source in ('direct', 'umbrella')
      and g.reverses_id is null
    join app.settlements as s on s.order_id = g.order_id and s.position > l.left_position
    union all
    select 'nobody_joins_below_who_left', format('uid %s', m.uid), 'no referrer', format('uid %s', l.uid)
    from leavers as l
    join app.users as m on m.spread_uid = l.uid and m.spread_position > l.left_position
    where not exists (select from app.imported_members as i where i.uid = m.uid)
    union all
    select
      'what_was_given_up_is_not_owed', format('uid %s', l.uid), 'nothing',
      concat_ws(' ', l.brokerage_price, 'commission', l.frozen_points, 'frozen', l.available_points, 'available')
    from leavers as l
    where greatest(l.brokerage_price, l.frozen_points, l.available_points) > 0 and app.gave_up(l.uid);
end
$$;

comment on function app.reconcile_leavers is
  'Finds orders that pay members after they left, members who joined below them since, and balances of members who '
  'have given them up.';
