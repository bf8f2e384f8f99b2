begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(9);

-- A member with two of the three orders of the first level is one order away; each such member has two buyers, who have
-- none.
create temporary table m as select pg_temp.sign_up() as me, pg_temp.sign_up() as neighbour;
create temporary table near as select n, pg_temp.sign_up(me::text) as uid from m, generate_series(1, 6) as n;
create temporary table far as select pg_temp.sign_up(me::text) as uid from m, generate_series(1, 6);
create temporary table below as select pg_temp.sign_up(uid::text) as uid from near where n <= 2;
insert into near (uid) select uid from below;
create temporary table others as select pg_temp.sign_up(neighbour::text) as uid from m;
select pg_temp.reporter(uid) from near, generate_series(1, 2);
select pg_temp.reporter(uid) from others, generate_series(1, 2);
select pg_temp.sum_teams();

create temporary table found (name text, number integer, uids bigint[]);
create function pg_temp.walk(p_name text, p_args jsonb) returns void language plpgsql as $$
declare v_page jsonb; v_cursor text; v_number integer := 0; begin
  loop
    v_page := pg_temp.read(
      (select me from m), 'get_team_people',
      jsonb_strip_nulls(
        '{"p_one_order_away": true, "p_limit": 3}' || p_args || jsonb_build_object('p_cursor', v_cursor)
      )
    );
    v_number := v_number + 1;
    insert into found values (
      p_name, v_number,
      array(select (l.person ->> 'uid')::bigint from jsonb_array_elements(v_page -> 'list') as l (person))
    );
    v_cursor := v_page ->> 'next_cursor';
    exit when v_cursor is null or v_number > 60;
  end loop;
end $$;
create function pg_temp.found(p_name text) returns bigint[] language sql as $$
  select array(
    select u.uid from found as f cross join lateral unnest(f.uids) as u (uid) where f.name = p_name order by u.uid
  )
$$;

select pg_temp.walk('direct', '{}');
select is(
  pg_temp.found('direct'), array(select uid from near where n is not null order by uid),
  'of the direct members, those who are one order away'
);
select pg_temp.walk('by orders', '{"p_sort": "-orders"}');
select is(pg_temp.found('by orders'), pg_temp.found('direct'), 'in every sequence the same');
select pg_temp.walk('umbrella', '{"p_depth": "umbrella"}');
select is(pg_temp.found('umbrella'), array(select uid from near order by uid), 'of everyone below, too');
select is(
  jsonb_array_length(pg_temp.read(me, 'get_team_people', '{"p_one_order_away": false}') -> 'list'), 12,
  'without the filter, all are there'
)
from m;
-- A page may look at five members, so that the team is a large one.
create or replace function app.page_read_limit() returns integer language sql immutable parallel safe as 'select 5';
select pg_temp.walk('large', '{"p_depth": "umbrella"}');
select is(pg_temp.found('large'), array(select uid from near order by uid), 'a large team has the same');
select pg_temp.walk('large direct', '{}');
select is(pg_temp.found('large direct'), pg_temp.found('direct'), 'and many direct members, too');

select is(
  pg_temp.read(
    me, 'get_team_people', jsonb_build_object('p_keyword', uid::text, 'p_one_order_away', true)
  ) #>> '{list,0,uid}',
  uid::text, 'a member who is found by uid'
)
from m, near where n = 1;
select is(
  pg_temp.read(me, 'get_team_people', jsonb_build_object('p_keyword', uid::text, 'p_one_order_away', true)) -> 'list',
  '[]', 'is left out if they are not'
)
from m, (select min(uid) as uid from far) as f;
select is(
  (pg_temp.read(neighbour, 'get_team_people', '{"p_one_order_away": true}') #>> '{list,0,uid}')::bigint, o.uid,
  'another member has their own'
)
from m, others as o;

select * from finish();
rollback;
