begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(9);

-- Grade 1 needs three direct orders. The members of other tests have no level.
create temporary table m as select pg_temp.sign_up() as risen, pg_temp.sign_up() as by_hand, pg_temp.sign_up() as top,
  pg_temp.sign_up() as entitled;
create temporary table orders as
select pg_temp.report(pg_temp.sign_up(m.risen::text)) as id, m.risen as uid, g.n from m, generate_series(1, 3) as g (n);
select pg_temp.report(pg_temp.sign_up(m.entitled::text)) from m, generate_series(1, 3);
create temporary table admins as select pg_temp.administrator() as id;
-- All pages, one after the other.
create function pg_temp.review(p_limit integer default 100) returns jsonb language plpgsql as $$
declare
  v_list jsonb := '[]';
  v_page jsonb;
  v_cursor bigint := 0;
begin
  while v_cursor is not null loop
    v_page := pg_temp.call(
      (select a.id from admins as a), 'get_level_review', jsonb_build_object('p_limit', p_limit, 'p_cursor', v_cursor)
    );
    v_list := v_list || (v_page -> 'list');
    v_cursor := (v_page ->> 'next_cursor')::bigint;
  end loop;
  return v_list;
end
$$;
create function pg_temp.reviewed(p_uid bigint) returns jsonb language sql as $$
  select e from jsonb_array_elements(pg_temp.review()) as e where (e ->> 'uid')::bigint = p_uid
$$;

select results_eq(
  'select u.agent_level::int from app.users as u, m where u.uid in (m.risen, m.entitled) order by u.uid',
  'values (1), (1)', 'three orders have raised both'
);
select is(pg_temp.reviewed(m.risen), null, 'a member who meets the tasks is not listed') from m;
select app.refund_order(o.id, null, null, now()) from orders as o where o.n = 1;
select is(
  pg_temp.reviewed(m.risen) - '{uid, nickname}'::text[],
  '{"agent_level": 1, "level_is_held": false, "reached_level": 0, "missing": [{"agent_level": 1, "type": "direct_orders", "target": 3, "current": 2}]}',
  'after a refund, the member is listed with what is missing'
) from m;
select is(
  (select u.agent_level::int from app.users as u, m where u.uid = m.risen), 1, 'the level does not fall by itself'
);
select pg_temp.grade(m.by_hand, 2) from m;
select is(pg_temp.reviewed(m.by_hand) ->> 'reached_level', '0', 'a level that was set by hand is listed') from m;
select is(
  jsonb_array_length(pg_temp.reviewed(m.by_hand) -> 'missing'), 3,
  'a listed member has the missing tasks of all grades up to the level'
)
from m;

-- At the top grade, nothing is counted.
select pg_temp.grade(m.top, app.top_grade()) from m;
select pg_temp.report(pg_temp.sign_up(m.top::text)) from m, generate_series(1, 3);
select pg_temp.sum_teams();
select is(pg_temp.reviewed(m.top) ->> 'reached_level', '1', 'a member at the top grade is counted again') from m;
update app.team_totals as t set umbrella_members = 20000 from m where t.uid = m.top;
select is(
  pg_temp.reviewed(m.top) - '{uid, nickname}'::text[],
  format('{"agent_level": %s, "level_is_held": false, "reached_level": null, "missing": null}', app.top_grade())::jsonb,
  'a member at the top grade is not counted if too many are below'
) from m;
select is(
  array(select (e ->> 'uid')::bigint from jsonb_array_elements(pg_temp.review(1)) as e),
  (select array[m.risen, m.by_hand, m.top] from m),
  'pages of any size list each of these members once, and nobody else'
);

select * from finish();
rollback;
