create or replace function app.asked_members(p_settlement app.settlements)
returns table (uid bigint, reported_since timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive asked as (
    select p_settlement.referrer_uid as uid, 1 as depth
    where p_settlement.referrer_uid is not null and coalesce(p_settlement.reason, 'nobody_eligible') in ('nobody_eligible', 'referrer_not_eligible')
    union all
    select u.spread_uid, a.depth + 1
    from asked as a
    join app.users as u on u.uid = a.uid
    join app.commission_plans as p on p.version = p_settlement.order_plan_version
    where p_settlement.brokerage_scope = 'umbrella' and a.uid is distinct from p_settlement.earner_uid and a.depth < coalesce(p.max_depth, a.depth + 1)
      and u.spread_uid is not null and u.spread_position < p_settlement.position
  )
  select a.uid, case when a.uid = p_settlement.earner_uid then p_settlement.eligible_since end from asked as a
$$;

comment on function app.asked_members is
  'Returns the members whose eligibility a past settlement checked, from the referrer up to the earner or the last one, each '
  'with the payment time of the own reported order that was found then; null for members who were not eligible (R4).';
