-- Guarantee rules/level-settings: New level settings raise nobody. Members who could rise see that their level is in
-- review, and the level review lists them
-- By: app.next_level_json, app.rise_review
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(12);

-- Four members with two direct orders each, which make no level by the default settings. The second is held, the third
-- has grade 1 by hand.
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 4) as n;
select pg_temp.report(pg_temp.sign_up(uid::text)) from m, generate_series(1, 2);
select app.set_agent_level(uid, 0::smallint, null, now(), true) from m where n = 2;
select pg_temp.grade(uid, 1) from m where n = 3;
create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.review(p_limit integer default 100) returns jsonb language plpgsql as $$
declare
  v_list jsonb := '[]';
  v_page jsonb;
  v_cursor bigint := (select min(m.uid) - 1 from m);
begin
  while v_cursor is not null loop
    v_page := pg_temp.call(
      (select a.id from admins as a), 'get_level_review',
      jsonb_build_object('p_limit', p_limit, 'p_cursor', v_cursor, 'p_kind', 'rise')
    );
    v_list := v_list || (v_page -> 'list');
    v_cursor := (v_page ->> 'next_cursor')::bigint;
  end loop;
  return v_list;
end
$$;
create function pg_temp.listed(p_limit integer default 100) returns text language sql as $$
  select coalesce(
    string_agg(concat_ws(' ', m.n, e ->> 'agent_level', e ->> 'reached_level', e ->> 'missing'), ', ' order by m.n),
    'nobody'
  )
  from jsonb_array_elements(pg_temp.review(p_limit)) as e join m on m.uid = (e ->> 'uid')::bigint
$$;
create function pg_temp.in_review(p_n integer) returns boolean language sql as $$
  select (app.next_level_json(u, b) ->> 'in_review')::boolean from m join app.users as u on u.uid = m.uid
  join app.user_balances as b on b.uid = m.uid where m.n = p_n
$$;

select is(pg_temp.listed(), 'nobody', 'who lacks an order is not listed');
select is(pg_temp.in_review(1), false, 'nor in review');
select app.set_agent_levels(
  (
    select jsonb_agg(
      case
        when l -> 'grade' = '0' then l
        else jsonb_set(l, '{tasks}', jsonb_build_object('direct_orders', (array[1, 2, 3, 4])[(l ->> 'grade')::integer]))
      end
    )
    from jsonb_array_elements(app.levels_json()) as l
  ),
  null, now()
);
select is(
  (select string_agg(u.agent_level::text, ' ' order by m.n) from m join app.users as u on u.uid = m.uid), '0 0 1 0',
  'new settings raise nobody'
);
select is(
  pg_temp.listed(), '1 0 2 [], 3 1 2 [], 4 0 2 []',
  'who meets the tasks now is listed with the grade that they reach; a held level is not'
);
select is(
  array(select pg_temp.in_review(n) from generate_series(1, 4) as n order by n), array[true, false, true, true],
  'the pages of these members say that the store is reviewing'
);
select is(pg_temp.listed(1), pg_temp.listed(), 'pages of any size list them');
create or replace function app.page_read_limit() returns integer language sql immutable parallel safe as 'select 2';
select is(pg_temp.listed(), '1 0 2 [], 3 1 2 [], 4 0 2 []', 'a page reads so many members');
create or replace function app.page_read_limit() returns integer language sql immutable parallel safe as 'select 10000';

-- An administrator raises one, the next settlement another one.
select pg_temp.call((select a.id from admins as a), 'set_agent_level', jsonb_build_object('p_uid', m.uid, 'p_grade', 2))
from m where n = 1;
select pg_temp.report(pg_temp.sign_up(m.uid::text)) from m where n = 4;
select is(pg_temp.listed(), '3 1 2 []', 'who has risen is not listed any more');
select is(
  (select u.agent_level::integer from m join app.users as u on u.uid = m.uid where n = 4), 3,
  'the next settlement raises as far as it goes'
);
select matches(
  pg_temp.call((select a.id from admins as a), 'get_level_review', '{"p_kind": "none"}'), 'invalid_argument',
  'other kinds are rejected'
);
select pg_temp.grade(uid, 3) from m where n = 3;
select is(pg_temp.listed(), 'nobody', 'a member above the tasks could not rise');
select is(pg_temp.in_review(3), false, 'nor is the level in review');

select * from finish();
rollback;
