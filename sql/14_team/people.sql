-- Lists of the members below a member.

-- The cursor holds the value and not only the member: a value that was looked up again could be that of a member of
-- another team.
create or replace function app.people_position(p_cursor text, out uid bigint, out before bigint, out value text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_cursor is not null then
    uid := split_part(p_cursor, '_', 1)::bigint;
    before := nullif(split_part(p_cursor, '_', 2), '')::bigint;
    value := convert_from(decode(split_part(p_cursor, '_', 3), 'hex'), 'UTF8');
  end if;
exception when data_exception then
  perform app.fail('invalid_argument', 'cursor was not returned by this list.');
end
$$;

comment on function app.people_position is 'Returns the parts of a cursor of app.people_cursor; nulls without one.';

-- Has no set clause, so that the planner can inline it. Stable, as joining a number to a text is.
create or replace function app.people_cursor(p_uid bigint, p_before bigint default null, p_value text default '')
returns text
language sql
stable
as $$
  select p_uid || '_' || coalesce(p_before::pg_catalog.text, '') || '_'
    || pg_catalog.encode(pg_catalog.convert_to(p_value, 'UTF8'), 'hex')
$$;

comment on function app.people_cursor is
  'Returns the cursor of a list of members: the member looked at last, the member before which the sorted part begins, '
  'and the value sorted by.';

-- The next order is at best the first one of a new direct member, which adds one to every count.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.is_one_order_away(p_uid bigint)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select app.meets_next_level(
      (
        u.uid, null, u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders + 1, b.umbrella_orders + 1,
        b.direct_members + 1, b.umbrella_members + 1,
        false, u.left_at is not null
      )::app.tree_member,
      (select l.rules[u.agent_level + 1] from app.level_versions as l order by l.version desc limit 1)
    )
    from app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = p_uid
  );
end
$$;

comment on function app.is_one_order_away is
  'Returns whether one more in every task count of a member would meet all tasks of the next level, and their level is '
  'not held.';

-- Sorted by joining, orders or members, a page follows an index, however many direct members there are. No index has
-- the levels or nicknames of direct members: sorted by these, a page reads as many members as it may, the latest to
-- join first, and sorts them. The cursor then continues with the members who joined before them. Dynamic SQL, so that
-- each sort key gets a query plan that follows its index.
create or replace function app.direct_people(
  p_uid bigint, p_keyword text, p_near boolean, p_sort text, p_cursor text, p_limit integer, out uids bigint[],
  out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_position record := app.people_position(p_cursor);
  v_before bigint := coalesce(v_position.before, 9223372036854775807);
  v_column text := ltrim(p_sort, '-');
  v_source text := case
    when v_column = 'joined' then 'app.users as m'
    when v_column in ('orders', 'members') then
      '(select t.*, u.nickname from app.team_totals as t join app.users as u on u.uid = t.uid) as m'
    else
      '(select u.* from app.users as u cross join given as g where u.spread_uid = g.uid and u.uid < g.before
        order by u.uid desc limit $1) as m'
  end;
  v_value text := case v_column
    when 'joined' then 'm.uid' when 'orders' then 'm.own_orders' when 'members' then 'm.umbrella_members'
    when 'agent_level' then 'm.agent_level' else 'lower(m.nickname)'
  end;
  v_rows_read integer := 0;
  v_uid bigint;
  v_nickname text;
  v_last text;
begin
  uids := '{}';
  if v_column <> 'nickname' and v_position.value !~ '^[0-9]{0,18}$' then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end if;
  for v_uid, v_nickname, v_last in execute format(
    $sql$
      with given as not materialized (select $3 as uid, $4 as before, $5 as last_value, $6 as last_uid)
      select m.uid, m.nickname, (%2$s)::text as value
      from %1$s cross join given as g
      where m.spread_uid = g.uid and %3$s
      order by %2$s %4$s, m.uid %4$s limit $2
    $sql$,
    v_source, v_value,
    case
      when v_position.value <> '' then format(
        '(%s, m.uid) %s (g.last_value::%s, g.last_uid)', v_value, case when p_sort like '-%' then '<' else '>' end,
        case v_column when 'nickname' then 'text' else 'bigint' end
      )
      else 'true'
    end,
    case when p_sort like '-%' then 'desc' else 'asc' end
  )
  using v_limit, case when p_keyword is null and not p_near then p_limit else v_limit end,
    p_uid, v_before, v_position.value, v_position.uid
  loop
    v_rows_read := v_rows_read + 1;
    if (p_keyword is null or position(lower(p_keyword) in lower(v_nickname)) > 0)
      and (not p_near or app.is_one_order_away(v_uid)) then
      uids := uids || v_uid;
    end if;
    exit when cardinality(uids) = p_limit or v_rows_read = v_limit;
  end loop;
  if cardinality(uids) = p_limit or v_rows_read = v_limit then
    next_cursor := app.people_cursor(v_uid, v_position.before, v_last);
  elsif v_column in ('agent_level', 'nickname') then
    next_cursor := (
      select app.people_cursor(u.uid, u.uid) from app.users as u
      where u.spread_uid = p_uid and u.uid < v_before order by u.uid desc offset v_limit - 1 limit 1
    );
  end if;
end
$$;

comment on function app.direct_people is
  'Returns one page of the direct members of a member (uids, sorted) and the next cursor, or null. A page reads at '
  'most app.page_read_limit members. With p_keyword or p_near (app.is_one_order_away), it can be shorter than p_limit '
  'without being the last.';

-- The phone is never included.
create or replace function app.people_json(p_uids bigint[])
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'uid', u.uid, 'nickname', u.nickname, 'avatar', app.shown_avatar(u.avatar), 'agent_level', u.agent_level,
      'agent_level_name', l.name,
      'joined', app.utc(u.add_time), 'orders', coalesce(t.own_orders, 0), 'members', coalesce(t.umbrella_members, 0)
    ) order by m.number), '[]')
    from unnest(p_uids) with ordinality as m (uid, number)
    join app.users as u on u.uid = m.uid
    join app.agent_levels as l on l.grade = u.agent_level
    left join app.team_totals as t on t.uid = m.uid
  );
end
$$;

comment on function app.people_json is
  'Returns members of a team, in the given sequence, with their level, reported orders and number of members below.';

create or replace function app.person_by_uid(p_uid bigint, p_depth text, p_keyword text)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select u.uid
  from app.users as u
  where u.uid = app.search_number(p_keyword)
    and case p_depth
      when 'direct' then u.spread_uid = p_uid
      else p_uid in (select a.uid from app.get_upline(u.uid) as a)
    end
$$;

comment on function app.person_by_uid is
  'Returns the uid that a keyword spells, if it is that of a direct member of p_uid or, with depth umbrella, of anyone '
  'below; otherwise null.';

-- The recursion is lazy: it ends with the row after the limit.
-- Generic query plan: see app.get_upline.
-- Row order: a set, or only whether there are more members than the limit.
create or replace function app.small_team(p_uid bigint)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_uids bigint[];
begin
  -- The totals may be a minute old. They only spare a large team the attempt.
  if exists (select from app.team_totals as t where t.uid = p_uid and t.umbrella_members > v_limit) then
    return null;
  end if;
  v_uids := array(
    with recursive below as (
      select u.uid from app.users as u where u.spread_uid = p_uid
      union all
      select u.uid from below as b join app.users as u on u.spread_uid = b.uid
    )
    select b.uid from below as b limit v_limit + 1
  );
  return case when cardinality(v_uids) <= v_limit then v_uids end;
end
$$;

comment on function app.small_team is
  'Returns all members below a member, at any depth, or null if there are more than app.page_read_limit.';

-- Generic query plan: see app.get_upline.
create or replace function app.members_in_order(
  p_last bigint, p_is_descending boolean, p_count integer, p_keyword text, p_near boolean, out uids bigint[],
  out rows_read integer, out last bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  select
    -- Row order: a set; the page sorts its members.
    array_agg(m.uid) filter (
      where (p_keyword is null or position(lower(p_keyword) in lower(m.nickname)) > 0)
        and (not p_near or app.is_one_order_away(m.uid))
    ), count(*),
    case when p_is_descending then min(m.uid) else max(m.uid) end
  into uids, rows_read, last
  from (
    (
      select u.uid, u.nickname from app.users as u where p_is_descending and u.uid < p_last order by u.uid desc
      limit p_count
    )
    union all
    (
      select u.uid, u.nickname from app.users as u where not p_is_descending and u.uid > p_last order by u.uid
      limit p_count
    )
  ) as m;
  uids := coalesce(uids, '{}');
end
$$;

comment on function app.members_in_order is
  'Reads the next p_count members of the store after p_last in the order of joining. Returns those whose nickname '
  'contains p_keyword and, with p_near, who are one order away (uids, in no order). rows_read and last say how many it '
  'read, up to whom.';

-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are.
create or replace function app.below_in_tree(p_uid bigint, p_uids bigint[], p_referrers bigint[])
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = on
set enable_nestloop = off
set jit = off
as $$
begin
  -- Row order: a set.
  return array(
    with recursive tree as materialized (
      select t.uid, t.referrer from unnest(p_uids, p_referrers) as t (uid, referrer)
    ),
    below as (
      select t.uid from tree as t where t.referrer = p_uid
      union all
      select t.uid from below as b join tree as t on t.referrer = b.uid
    )
    select b.uid from below as b
  );
end
$$;

comment on function app.below_in_tree is
  'Returns the members of a tree who are below p_uid, at any depth. p_referrers are the referrers of p_uids.';

-- Walks up from all members at once, so that a shared ancestor is read once, and stops at p_uid.
-- Generic query plan: see app.get_upline. Each member is read by key, however few there are.
create or replace function app.members_below(p_uid bigint, p_uids bigint[], out uids bigint[], out rows_read integer)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set jit = off
as $$
declare
  v_tree record;
begin
  with recursive upward as (
    select u.uid, u.spread_uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select r.uid, r.spread_uid from upward as b join app.users as r on r.uid = b.spread_uid where b.spread_uid <> p_uid
  )
  -- Row order: pairs: two aggregates of one query read its rows in one sequence.
  select array_agg(w.uid) as uids, array_agg(w.spread_uid) as referrers, count(*) as members into v_tree
  from upward as w;
  rows_read := v_tree.members;
  -- Row order: a set.
  uids := array(select unnest(app.below_in_tree(p_uid, v_tree.uids, v_tree.referrers)) intersect select unnest(p_uids));
end
$$;

comment on function app.members_below is
  'Returns which of these members are below a member, at any depth (uids, in no order), and how many members it read '
  '(rows_read).';

-- A small team is read as a whole. For a large one, the members of the whole store are read in the order of joining,
-- and those who are not in the team are left out; the larger the team, the fewer those are.
create or replace function app.umbrella_people(
  p_uid bigint, p_keyword text, p_near boolean, p_sort text, p_cursor text, p_limit integer, out uids bigint[],
  out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_is_descending constant boolean := p_sort like '-%';
  v_team bigint[] := app.small_team(p_uid);
  v_last bigint := coalesce(
    (app.people_position(p_cursor)).uid, case when v_is_descending then 9223372036854775807 else 0 end
  );
  v_count integer := case when p_keyword is null and not p_near then p_limit else 1000 end;
  v_rows_read integer := 0;
  v_read record;
  v_below record;
begin
  if v_team is not null then
    uids := array(
      select u.uid from unnest(v_team) as m (uid) join app.users as u on u.uid = m.uid
      where case when v_is_descending then u.uid < v_last else u.uid > v_last end
        and (p_keyword is null or position(lower(p_keyword) in lower(u.nickname)) > 0)
        and (not p_near or app.is_one_order_away(u.uid))
      order by case when v_is_descending then -u.uid else u.uid end
      limit p_limit
    );
    next_cursor := app.people_cursor(uids[p_limit]);
    return;
  end if;
  uids := '{}';
  loop
    v_read := app.members_in_order(v_last, v_is_descending, v_count, p_keyword, p_near);
    v_below := app.members_below(p_uid, v_read.uids);
    uids := uids || array(
      select b.uid from unnest(v_below.uids) as b (uid)
      order by case when v_is_descending then -b.uid else b.uid end
      limit p_limit - cardinality(uids)
    );
    v_rows_read := v_rows_read + v_read.rows_read + v_below.rows_read;
    v_last := v_read.last;
    exit when cardinality(uids) = p_limit or v_read.rows_read < v_count or v_rows_read >= v_limit;
    v_count := least(4 * v_count, v_limit - v_rows_read);
  end loop;
  next_cursor := app.people_cursor(case
    when cardinality(uids) = p_limit then uids[p_limit]
    when v_read.rows_read = v_count then v_last
  end);
end
$$;

comment on function app.umbrella_people is
  'Returns one page of all members below a member (uids, in the order of joining) and the next cursor, or null. A page '
  'reads little more than app.page_read_limit members, so it can be shorter than p_limit without being the last.';
