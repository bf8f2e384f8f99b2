-- Members get a referrer once, so this happens only after a correction by hand.
-- Precondition: the caller holds the advisory lock team_totals.
create or replace function app.detach_team(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member app.team_totals := (select t from app.team_totals as t where t.uid = p_uid);
begin
  with recursive upline as (
    select v_member.spread_uid as uid
    union
    select t.spread_uid from upline as b join app.team_totals as t on t.uid = b.uid where t.spread_uid is not null
  )
  update app.team_totals as t
  set umbrella_members = t.umbrella_members - v_member.umbrella_members - 1,
      umbrella_orders = t.umbrella_orders - v_member.umbrella_orders - v_member.own_orders,
      direct_members = t.direct_members - (t.uid = v_member.spread_uid)::integer,
      direct_orders = t.direct_orders - case when t.uid = v_member.spread_uid then v_member.own_orders else 0 end
  from upline as a
  where t.uid = a.uid;
  update app.team_totals set spread_uid = null where uid = p_uid;
end
$$;

comment on function app.detach_team is
  'Takes a member and everyone below out of the team totals of all members above.';
