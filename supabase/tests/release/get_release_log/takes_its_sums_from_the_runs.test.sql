begin;
\ir ../../support/fixture.psql

-- Three members on the first day, one of them alone on the second.
create temporary table released as select array[pg_temp.sign_up('a'), pg_temp.sign_up('b'),
  pg_temp.sign_up('c')] as uids;
update app.user_balances set frozen_points = 1000, total_points_earned = 1000
where uid = any ((select uids from released)::bigint[]);
insert into app.release_runs (release_date, started_at) values ('2020-01-01', '2020-01-01 01:00Z'),
  ('2020-01-02', '2020-01-02 01:00Z');
select app.release_chunk('2020-01-01', uids, '2020-01-01 01:00Z') from released;
select app.release_chunk('2020-01-02', uids[1:1], '2020-01-02 01:00Z') from released;

select plan(9);
select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);
create temporary table results as
select
  api.get_release_log(p_date_to => '2020-01-31')::jsonb as everything,
  api.get_release_log(p_date_from => '2020-01-02', p_date_to => '2020-01-02')::jsonb as one_day,
  api.get_release_log(p_uid => uids[1], p_date_to => '2020-01-31')::jsonb as first,
  api.get_release_log(p_uid => uids[2], p_date_from => '2020-01-02', p_date_to => '2020-01-31')::jsonb as second,
  api.get_release_log(p_date_to => '2020-01-31', p_limit => 2)::jsonb as page
from released;

select is(everything -> 'count', '4', 'the count includes every release') from results;
select is(everything #> '{statistics,users}', '3', 'the number of members is that of the day with the most')
from results;
select is(
  (everything #>> '{statistics,total_released}')::numeric, 0.4 * 3 + 0.3998, 'the total has the points of all days'
)
from results;
select is(
  one_day - 'list',
  jsonb_build_object(
    'count', 1, 'next_cursor', null, 'statistics',
    jsonb_build_object('total_released', 0.3998, 'users', 1, 'last_run', one_day #> '{statistics,last_run}')
  ),
  'the sums of one day'
)
from results;
select is(
  first - 'list',
  jsonb_build_object(
    'count', 2, 'next_cursor', null, 'statistics',
    jsonb_build_object('total_released', 0.7998, 'users', 1, 'last_run', first #> '{statistics,last_run}')
  ),
  'the sums of one member'
)
from results;
select is(second -> 'statistics' ->> 'users', '0', 'a member without points has no releases') from results;
select is(
  jsonb_path_query_array(everything, '$.list[*].release_date'),
  '["2020-01-02", "2020-01-01", "2020-01-01", "2020-01-01"]', 'the newest day comes first'
)
from results;
select is(
  page -> 'list'
  || (
    api.get_release_log(p_date_to => '2020-01-31', p_limit => 2, p_cursor => page ->> 'next_cursor')::jsonb -> 'list'
  ),
  everything -> 'list', 'cursors lead through the same rows'
) from results;
select is(
  api.get_release_log(p_date_to => '2020-01-31', p_page => 2, p_limit => 2)::jsonb -> 'list',
  jsonb_path_query_array(everything, '$.list[2 to 3]'), 'numbered pages have the same rows'
)
from results;

select * from finish();
rollback;
