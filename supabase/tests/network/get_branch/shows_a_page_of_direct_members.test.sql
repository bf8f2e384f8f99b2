begin;
\ir ../../support/fixture.psql
select plan(7);
grant store_api to postgres;

create temporary table m as select pg_temp.reporter() as top, pg_temp.administrator() as admin;
create temporary table n as select pg_temp.reporter((select top from m)) as leader,
  pg_temp.sign_up((select top::text from m)) as alone;
select pg_temp.sign_up((select leader::text from n)), pg_temp.sign_up((select leader::text from n));
select pg_temp.sum_teams();
create function pg_temp.asked(
  p_function text, p_args jsonb
) returns jsonb language sql as $$ select pg_temp.call(m.admin, p_function, p_args)::jsonb
  from m $$;
create temporary table page as select pg_temp.asked('get_branch', jsonb_build_object('p_uid', top)) as branch from m;

select is(branch -> 'root' ->> 'people', '4', 'everyone below the member') from page;
select is(
  (select jsonb_agg(l -> 'uid') from jsonb_array_elements(branch -> 'list') as l), jsonb_build_array(n.leader, n.alone),
  'those with the most below first'
)
from page, n;
select is(branch #> '{list,0}' ->> 'people', '2', 'with the number below each') from page;
select is(
  pg_temp.asked('get_branch', jsonb_build_object('p_uid', top, 'p_page', 2, 'p_limit', 1)) #>> '{list,0,uid}',
  n.alone::text, 'the second page'
)
from m, n;
select is(
  (
    select jsonb_agg(l -> 'uid')
    from jsonb_array_elements(
      pg_temp.asked('get_network_members', '{"p_people": 2, "p_depth": 2, "p_limit": 100}') -> 'list'
    ) as l
    where (l ->> 'uid')::bigint >= m.top
  ),
  jsonb_build_array(m.top), 'only members with so many below, at that depth, are listed'
) from m;

-- A chain of 105: the last depth that is shown has all deeper ones.
insert into app.users (uid, nickname, spread_uid, spread_time) overriding system value
select 800000000 + i, 'c', case when i > 0 then 800000000 + i - 1 end, case when i > 0 then now() end
from generate_series(0, 105) as i;
insert into app.user_balances (uid) select 800000000 + i from generate_series(0, 105) as i;
select pg_temp.sum_teams();
create temporary table deep as select pg_temp.asked('get_member_network', '{"p_uid": 800000000}') as page;
select is(
  concat_ws(
    ' ', page ->> 'people', page ->> 'depth', page #>> '{depths,98,people}', page #>> '{depths,99,people}',
    page #>> '{depths,100,people}'
  ),
  '105 100 1 6', 'depth 100 and deeper'
)
from deep;
select is(page -> 'own_sales', '{"points": null, "commission": null}', 'nothing was earned, so there is no share')
from deep;

select * from finish();
rollback;
