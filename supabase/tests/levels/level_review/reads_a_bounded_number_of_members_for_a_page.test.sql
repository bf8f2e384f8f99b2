begin;
\ir ../../support/fixture.psql
select plan(6);

-- All have a level that they would not reach. The third is at the top grade, with five members and five orders below.
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 4) as n;
select pg_temp.grade(uid, case n when 3 then app.top_grade() else 1 end) from m;
insert into app.team_totals (uid, direct_members, direct_orders, umbrella_members, umbrella_orders) select uid, 5, 5, 5,
  5
from m where n = 3
on conflict (uid) do update set umbrella_members = 5, umbrella_orders = 5;
create function pg_temp.read_limit(p_limit integer) returns void language plpgsql as $$
begin
  execute format(
    'create or replace function app.page_read_limit() returns integer language sql immutable parallel safe as ''select %s''',
    p_limit
  );
end
$$;
-- The members of a page, and after which one the next page begins.
create function pg_temp.page(p_after integer, p_limit integer default 100) returns text language sql as $$
  select concat_ws(
    ', then after ', string_agg(m.n::text, ' ' order by m.n), (select m.n from m where m.uid = max(r.next_after))
  )
  from app.level_review((select min(m.uid) - 1 from m) + p_after, p_limit) as r left join m on m.uid = r.uid
$$;

select is(pg_temp.page(0), '1 2 3 4', 'a page has all members if they can be read');
select is(pg_temp.page(0, 2), '1 2, then after 2', 'a page has as many members as asked for');
select pg_temp.read_limit(20);
select is(pg_temp.page(0), '1 2, then after 2', 'a member below the top grade counts as ten reads');
select pg_temp.read_limit(28);
select is(pg_temp.page(0), '1 2, then after 2', 'a member whose reads do not fit begins the next page');
select pg_temp.read_limit(40);
select is(
  pg_temp.page(0), '1 2 3, then after 3',
  'a member at the top grade counts as many more reads as members and orders are below them'
);
select pg_temp.read_limit(39);
select is(pg_temp.page(0), '1 2, then after 2', 'such a member begins the next page if their reads do not fit');

select * from finish();
rollback;
