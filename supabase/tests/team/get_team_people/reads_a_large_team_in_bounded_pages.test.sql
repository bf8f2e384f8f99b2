begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(14);

-- A page may look at five members, so that a tree of 40 is a large team.
create or replace function app.page_read_limit() returns integer language sql immutable parallel safe as 'select 5';
create temporary table m as select pg_temp.sign_up() as me, pg_temp.sign_up() as neighbour;
insert into app.users (nickname, spread_uid, spread_time) select 'Direct ' || n, me, now()
from m, generate_series(1, 8) as n;
insert into app.users (nickname, spread_uid, spread_time)
select 'Below ' || n, case when n % 3 = 0 then m.neighbour else d.uid end, now()
from m, generate_series(1, 30) as n,
  lateral (select u.uid from app.users as u where u.spread_uid = m.me order by u.uid offset n % 8 limit 1) as d;
insert into app.user_balances (uid) select u.uid from app.users as u where u.uid > (select neighbour from m);
create temporary table team as
with recursive below as (
  select u.uid from app.users as u, m where u.spread_uid = m.me union all select u.uid from below as b
  join app.users as u on u.spread_uid = b.uid
)
select b.uid, u.nickname, u.spread_uid from below as b join app.users as u using (uid);

create temporary table pages (name text, number integer, uids bigint[], rows_read bigint);
create function pg_temp.walk(p_name text, p_args jsonb) returns void language plpgsql as $$
declare v_page jsonb; v_cursor text; v_number integer := 0; begin
  loop
    v_page := pg_temp.read(
      (select me from m), 'get_team_people', jsonb_strip_nulls(p_args || jsonb_build_object('p_cursor', v_cursor))
    );
    v_number := v_number + 1;
    insert into pages values (
      p_name, v_number,
      array(
        select (l.person ->> 'uid')::bigint
        from jsonb_array_elements(v_page -> 'list') with ordinality as l (person, number) order by l.number
      )
    );
    v_cursor := v_page ->> 'next_cursor';
    exit when v_cursor is null or v_number > 60;
  end loop;
end $$;
create function pg_temp.seen(p_name text) returns setof bigint language sql as $$
  select u.uid from pages as p cross join lateral unnest(p.uids) with ordinality as u (uid, place) where p.name = p_name
  order by p.number, u.place
$$;

select pg_temp.walk('umbrella', '{"p_depth": "umbrella", "p_limit": 3}');
select results_eq(
  'select pg_temp.seen(''umbrella'')', 'select t.uid from team as t order by t.uid desc',
  'before the totals are summed, the pages have the whole team, the last who joined first'
);
select pg_temp.sum_teams();
select pg_temp.walk('umbrella, summed', '{"p_depth": "umbrella", "p_limit": 3}');
select results_eq(
  'select pg_temp.seen(''umbrella, summed'')', 'select t.uid from team as t order by t.uid desc',
  'after the totals are summed, the pages are the same'
);
select pg_temp.walk('umbrella, ascending', '{"p_depth": "umbrella", "p_sort": "joined", "p_limit": 3}');
select results_eq(
  'select pg_temp.seen(''umbrella, ascending'')', 'select t.uid from team as t order by t.uid',
  'in ascending order, the first who joined come first'
);
select pg_temp.walk('umbrella, keyword', '{"p_depth": "umbrella", "p_keyword": "LOW 1", "p_limit": 3}');
select results_eq(
  'select pg_temp.seen(''umbrella, keyword'')',
  'select t.uid from team as t where t.nickname ~ ''low 1'' order by t.uid desc',
  'a part of the nickname filters the whole team'
);
select pg_temp.walk('direct, keyword', '{"p_keyword": "ect 7", "p_limit": 3}');
select results_eq(
  'select pg_temp.seen(''direct, keyword'')', 'select t.uid from team as t where t.nickname = ''Direct 7''',
  'a part of the nickname filters direct members'
);
select cmp_ok(max(p.number), '>', 1, 'a page that has read the maximum number of members ends before its limit')
from pages as p where p.name = 'direct, keyword';
select pg_temp.walk('orders', '{"p_sort": "-members", "p_limit": 3}');
select results_eq(
  'select pg_temp.seen(''orders'')',
  'select t.uid from team as t, m where t.spread_uid = m.me order by (select count(*) from app.users as u where u.spread_uid = t.uid) desc, t.uid desc',
  'direct members are sorted by members with an index, however many they are'
);
-- By nickname, five members are sorted at a time: first the last five who joined.
select pg_temp.walk('nickname', '{"p_sort": "nickname", "p_limit": 3}');
select results_eq($$ select pg_temp.seen('nickname') $$, $$
  select d.uid
  from (select t.*, row_number() over (order by t.uid desc) as number from team as t, m where t.spread_uid = m.me) as d
  order by (d.number - 1) / 5, lower(d.nickname), d.uid
$$, 'by nickname, each page sorts only the members that it may read');
select is(
  (
    pg_temp.read(
      (select me from m), 'get_team_people', jsonb_build_object('p_depth', 'umbrella', 'p_keyword', t.uid::text)
    ) #>> '{list,0,uid}'
  )::bigint,
  t.uid, 'a uid finds its member on the first page'
)
from (select min(uid) as uid from team) as t;
select is(
  pg_temp.read((select me from m), 'get_team_people', jsonb_build_object('p_keyword', t.uid::text)) -> 'list', '[]',
  'a uid below a direct member is not a direct member'
)
from (select max(uid) as uid from team) as t;
select is(
  pg_temp.read(
    (select me from m), 'get_team_people', jsonb_build_object('p_depth', 'umbrella', 'p_keyword', m.neighbour::text)
  ) -> 'list',
  '[]', 'the uid of another member finds nobody'
)
from m;
select is(
  pg_temp.read((select neighbour from m), 'get_team_people', '{"p_depth": "umbrella"}') #>> '{list,0,uid}',
  (select max(u.uid)::text from app.users as u, m where u.spread_uid = m.neighbour),
  'another member has a team of their own'
);
select is(
  (
    select count(*) from team as t
    where t.uid in (select pg_temp.seen('umbrella'))
      and t.uid in (
        select (l ->> 'uid')::bigint
        from jsonb_array_elements(
          pg_temp.read((select neighbour from m), 'get_team_people', '{"p_depth": "umbrella"}') -> 'list'
        ) as l
      )
  ),
  0::bigint, 'the two teams have no member in common'
);
select is(
  pg_temp.read(pg_temp.sign_up((select uid::text from team order by uid desc limit 1)), 'get_team_people') -> 'list',
  '[]', 'a member with nobody below has no team'
);

select * from finish();
rollback;
