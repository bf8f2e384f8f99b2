-- The shape of the network: how many members are how far below whom, and what orders at which depth pay.

-- Two passes: from those below to those above for sizes and heights, and back for depths and numbers. The number of
-- steps is the number of members, however deep the tree is. Members of a circle are left at 0.
create or replace function app.number_tree(
  p_referrers integer[], out depths integer[], out heights integer[], out sizes integer[], out firsts integer[]
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_open integer[] := array_fill(0, array[coalesce(cardinality(p_referrers), 0)]);
  v_sequence integer[] := v_open;
  v_next integer[] := v_open;
  v_done integer := 0;
  v_root integer := 1;
  v_index integer;
  v_referrer integer;
begin
  depths := v_open;
  heights := v_open;
  sizes := v_open;
  firsts := v_open;
  foreach v_referrer in array coalesce(p_referrers, '{}') loop
    if v_referrer is not null then
      v_open[v_referrer] := v_open[v_referrer] + 1;
    end if;
  end loop;
  for v_start in 1..cardinality(v_open) loop
    v_index := v_start;
    while v_open[v_index] = 0 loop
      v_open[v_index] := -1;
      v_done := v_done + 1;
      v_sequence[v_done] := v_index;
      v_referrer := p_referrers[v_index];
      exit when v_referrer is null;
      sizes[v_referrer] := sizes[v_referrer] + sizes[v_index] + 1;
      heights[v_referrer] := greatest(heights[v_referrer], heights[v_index] + 1);
      v_open[v_referrer] := v_open[v_referrer] - 1;
      v_index := v_referrer;
    end loop;
  end loop;
  for v_place in reverse v_done..1 loop
    v_index := v_sequence[v_place];
    v_referrer := p_referrers[v_index];
    if v_referrer is null then
      firsts[v_index] := v_root;
      v_root := v_root + sizes[v_index] + 1;
    else
      depths[v_index] := depths[v_referrer] + 1;
      firsts[v_index] := v_next[v_referrer];
      v_next[v_referrer] := v_next[v_referrer] + sizes[v_index] + 1;
    end if;
    v_next[v_index] := firsts[v_index] + 1;
  end loop;
end
$$;

comment on function app.number_tree is
  'Returns for each member of a tree how many are above (depths), how deep the tree below is (heights), how many are '
  'below (sizes), and a number n (firsts); those below have the numbers n + 1 to n + size. p_referrers holds the '
  'index of each member''s referrer, or null.';

-- Each member is read once, however many of p_uids are below them.
-- Generic query plan, and indexes only: see app.get_upline. The caller may have switched nested loops off.
create or replace function app.read_uplines(p_uids bigint[], out uids bigint[], out referrers bigint[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_nestloop = on
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set jit = off
as $$
begin
  with recursive upline as (
    select u.uid, u.spread_uid from unnest(p_uids) as p (uid) join app.users as u on u.uid = p.uid
    union
    select r.uid, r.spread_uid from upline as b join app.users as r on r.uid = b.spread_uid
  )
  -- Row order: pairs: two aggregates of one query read its rows in one sequence.
  select array_agg(u.uid), array_agg(u.spread_uid) into uids, referrers from upline as u;
end
$$;

comment on function app.read_uplines is
  'Returns members and everyone above them, each once, with their referrers at the same indexes.';

grant execute on function app.number_tree(integer[]), app.read_uplines(bigint[]) to store_admin;

-- Nested loops over arrays would take quadratic time (see app.add_up_team).
create or replace function app.referrers_in(p_uids bigint[], p_referrers bigint[])
returns integer[]
language sql
immutable
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
  with members as (
    select m.uid, m.referrer, m.number::integer
    from unnest(p_uids, p_referrers) with ordinality as m (uid, referrer, number)
  )
  select coalesce(array_agg(r.number order by m.number), '{}') from members as m
  left join members as r on r.uid = m.referrer
$$;

comment on function app.referrers_in is
  'Returns for each member the index of the referrer in p_uids, or null, as app.number_tree takes it.';

grant execute on function app.referrers_in(bigint[], bigint[]) to store_admin;

-- Nested loops over arrays would take quadratic time (see app.add_up_team).
create or replace function app.depths_of_earners(p_referrers bigint[], p_earners bigint[])
returns table (referrer_uid bigint, earner_uid bigint, depth integer)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = on
set enable_nestloop = off
set jit = off
as $$
declare
  -- Whoever earns from a direct member needs no look at the tree.
  v_read record := app.read_uplines(array(
    select distinct p.referrer from unnest(p_referrers, p_earners) as p (referrer, earner) where p.referrer <> p.earner
    order by p.referrer
  ));
  v_tree record;
begin
  v_tree := app.number_tree(app.referrers_in(v_read.uids, v_read.referrers));
  return query
    with members as materialized (
      select m.* from unnest(v_read.uids, v_tree.depths, v_tree.firsts, v_tree.sizes) as m (uid, depth, first, size)
    )
    select p.referrer, p.earner, case
      when p.referrer = p.earner then 1
      when r.first > e.first and r.first <= e.first + e.size then r.depth - e.depth + 1
    end
    from unnest(p_referrers, p_earners) as p (referrer, earner)
    left join members as r on r.uid = p.referrer
    left join members as e on e.uid = p.earner;
end
$$;

comment on function app.depths_of_earners is
  'Returns the depth of each earner above buyers who had the referrer at the same index when they ordered. That '
  'referrer has depth 1. Null: no longer above, after a correction by hand.';

grant execute on function app.depths_of_earners(bigint[], bigint[]) to store_admin;

-- Has no set clause, so that the planner can inline it: it is asked for each referrer.
create or replace function app.shown_depth(p_depth integer)
returns integer
language sql
immutable
as $$
  -- The least of a null and a number would be the number.
  select case when p_depth > 100 then 100 else p_depth end
$$;

comment on function app.shown_depth is
  'Returns the depth under which figures are shown: 100 stands for 100 and deeper.';

grant execute on function app.shown_depth(integer) to store_admin;

create or replace function app.earnings_by_depth(p_earnings app.earnings_of_pair[])
returns table (
  depth integer, commission numeric, commission_points numeric, direct_points numeric, umbrella_points numeric
)
language sql
stable
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
  -- Row order: pairs: two aggregates of one query read its rows in one sequence. The rows of a pair are added up.
  with pairs as (
    select array_agg(p.referrer_uid) as referrers, array_agg(p.uid) as earners
    from (select distinct e.referrer_uid, e.uid from unnest(p_earnings) as e) as p
  )
  select
    app.shown_depth(d.depth), sum(e.commission), sum(e.commission_points), sum(e.direct_points), sum(e.umbrella_points)
  from unnest(p_earnings) as e
  join (
    select o.* from pairs as p cross join lateral app.depths_of_earners(p.referrers, p.earners) as o
  ) as d on d.referrer_uid = e.referrer_uid
    and d.earner_uid = e.uid
  group by 1
$$;

comment on function app.earnings_by_depth is
  'Returns earnings summed by shown depth (app.depths_of_earners, app.shown_depth).';

grant execute on function app.earnings_by_depth(app.earnings_of_pair[]) to store_admin;

create or replace function app.earnings_of_member(p_uid bigint)
returns app.earnings_of_pair[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
begin
  -- Row order: a set.
  return array(
    select (
      o.referrer_uid, p_uid, sum(b.brokerage_delta),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'cycle'), 0),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'direct'), 0),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'umbrella'), 0)
    )::app.earnings_of_pair
    -- With `offset 0`, the rows of the member are found before others are left out (see api.get_month_earnings). Of the
    -- table: only releases can stand elsewhere.
    from (select l.* from app.user_bill as l where l.uid = p_uid offset 0) as b
    join app.orders as o on o.id = b.order_id
    where b.source in ('cycle', 'direct', 'umbrella')
    group by o.referrer_uid
  );
end
$$;

comment on function app.earnings_of_member is
  'Returns what orders brought a member, less reversals, by the referrer of their buyers.';

grant execute on function app.earnings_of_member(bigint) to store_admin;

create or replace function app.earnings_since(p_from timestamptz)
returns app.earnings_of_pair[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  -- Row order: a set.
  return array(
    select (
      o.referrer_uid, b.uid, sum(b.commission), sum(b.cycle), sum(b.direct), sum(b.umbrella)
    )::app.earnings_of_pair
    from (
      select
        l.order_id, l.uid, sum(l.brokerage_delta) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.source = 'cycle'), 0) as cycle,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.source = 'direct'), 0) as direct,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.source = 'umbrella'), 0) as umbrella
      from app.bill(p_from, 'infinity') as l
      where l.order_id is not null and l.source in ('cycle', 'direct', 'umbrella')
      group by l.order_id, l.uid
    ) as b
    join app.orders as o on o.id = b.order_id
    group by o.referrer_uid, b.uid
  );
end
$$;

comment on function app.earnings_since is
  'Returns what was booked for orders from p_from on, less reversals, by the referrer of their buyers and by earner.';

grant execute on function app.earnings_since(timestamptz) to store_admin;

-- Who has nobody below is only counted, by the referrer.
create or replace function app.people_by_depth(p_uid bigint)
returns table (depth integer, people bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set jit = off
as $$
begin
  return query
    with recursive referrers as (
      select t.uid, t.direct_members, 1 as depth from app.team_totals as t where t.uid = p_uid
      union all
      select t.uid, t.direct_members, r.depth + 1
      from referrers as r join app.team_totals as t on t.spread_uid = r.uid and t.umbrella_members > 0
    )
    select app.shown_depth(r.depth), sum(r.direct_members) from referrers as r where r.direct_members > 0 group by 1;
end
$$;

comment on function app.people_by_depth is
  'Returns how many members are below a member at each shown depth (app.shown_depth), by the team totals, without '
  'empty depths.';

grant execute on function app.people_by_depth(bigint) to store_admin;

-- Only referrers are numbered: the members below whom nobody is add one to the depth.
-- Nested loops over arrays would take quadratic time (see app.add_up_team).
create or replace function app.network_members()
returns table (uid bigint, people integer, direct_members integer, depth integer)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set enable_nestloop = off
set jit = off
as $$
declare
  v_read record;
begin
  -- Row order: pairs: aggregates of one query read its rows in one sequence.
  select array_agg(t.uid) as uids, array_agg(t.spread_uid) as referrers, array_agg(t.umbrella_members) as people,
    array_agg(t.direct_members) as direct
  into v_read
  from app.team_totals as t where t.umbrella_members > 0;
  return query
    select m.uid, m.people, m.direct, m.height + 1
    from unnest(
      v_read.uids, v_read.people, v_read.direct,
      (app.number_tree(app.referrers_in(v_read.uids, v_read.referrers))).heights
    )
      as m (uid, people, direct, height);
end
$$;

comment on function app.network_members is
  'Returns every member with members below, by the team totals: how many, how many of them direct, and how deep the '
  'tree below is.';

grant execute on function app.network_members() to store_admin;

-- A commission that its referrer earned has depth 1. The others, and umbrella points, are looked up in the tree. Of the
-- bill, the table: only releases can stand elsewhere.
create or replace function app.deepest_paid()
returns table (kind text, depth integer, uid bigint, order_id bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    with paid as materialized (
      select 'commission' as kind, s.referrer_uid, s.earner_uid, max(s.order_id) as order_id
      from app.settlements as s where s.commission > 0 group by s.referrer_uid, s.earner_uid
      union all
      select 'points', o.referrer_uid, b.uid, max(b.order_id)
      from app.user_bill as b join app.orders as o on o.id = b.order_id
      where b.type = 'frozen_points_brokerage' and b.source in ('direct', 'umbrella') group by o.referrer_uid, b.uid
    ),
    -- Row order: pairs: two aggregates of one query read its rows in one sequence.
    pairs as (
      select array_agg(p.referrer_uid) as referrers, array_agg(p.earner_uid) as earners
      from (select distinct a.referrer_uid, a.earner_uid from paid as a) as p
    )
    select distinct on (p.kind) p.kind, d.depth, p.earner_uid, p.order_id
    from paid as p
    join (select o.* from pairs as a cross join lateral app.depths_of_earners(a.referrers, a.earners) as o) as d
      on d.referrer_uid = p.referrer_uid and d.earner_uid = p.earner_uid
    where d.depth is not null
    order by p.kind, d.depth desc, p.order_id desc;
end
$$;

comment on function app.deepest_paid is
  'Returns the deepest commission and the deepest points by level ever paid, refunded or not, with the earner and the '
  'latest such order. No row for a kind never paid.';

grant execute on function app.deepest_paid() to store_admin;

create or replace function app.depths_json(p_earnings app.earnings_of_pair[], p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('people',
    case when p_uid is not null then coalesce(p.people, 0) end)) || jsonb_build_object(
    'depth', coalesce(e.depth, p.depth), 'commission', coalesce(e.commission, 0)::numeric(16,2)::text,
    'commission_points', trim_scale(coalesce(e.commission_points, 0)), 'direct_points',
    trim_scale(coalesce(e.direct_points, 0)),
    'umbrella_points', trim_scale(coalesce(e.umbrella_points, 0))
  ) order by coalesce(e.depth, p.depth)), '[]')
  from app.earnings_by_depth(p_earnings) as e full join app.people_by_depth(p_uid) as p on p.depth = e.depth
$$;

comment on function app.depths_json is
  'Returns earnings by depth as the API shows them, nearest first and null last, with p_uid also the members below '
  'that member.';

grant execute on function app.depths_json(app.earnings_of_pair[], bigint) to store_admin;
