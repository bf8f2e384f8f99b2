-- Guarantee money/actions-dropped: A month of the action log is dropped only if exactly its actions were exported.
-- Their number, their digest and the end of the dropped time stay
-- By: a digest that the file must have, app.drop_actions
begin;
\ir ../support/fixture.psql
select plan(21);

grant store_api to postgres;
select
from unnest('{2020-03-01, 2020-04-01}'::date[]) as m (month),
  lateral pg_temp.create_partition('admin_actions', m.month);
create temporary table admins as select pg_temp.administrator() as id;
insert into app.admin_actions (actor, function, target_type, target_id, from_value, to_value, add_time)
select a.id, 'set_agent_level', 'member', '10001', jsonb_build_object('agent_level', n),
  jsonb_build_object('agent_level', n + 1), '2020-03-01Z'::timestamptz + n * interval '12 days'
from admins as a, generate_series(0, 3) as n;
create function pg_temp.page(p_args jsonb default '{}') returns jsonb language sql as $$
  select pg_temp.call(admins.id, 'get_actions', p_args || '{"p_target_type": "member"}')::jsonb from admins
$$;
create function pg_temp.drop_month(p_month date, p_now timestamptz) returns boolean language sql as $$
  select app.drop_actions(p_month, d.row_count, d.digest, p_now) from app.digest_of_actions(p_month) as d
$$;
create temporary table exported as select line from app.action_lines('2020-03-01') as l (line);
select is(
  (select (page ->> 'count', page ->> 'dropped_until')::text from pg_temp.page() as page), '(4,)',
  'four actions are listed, none is dropped'
);

select matches(
  app.drop_obstacle('2020-03-01', '2023-04-01Z'), '^it ended less than 1096 days ago', 'not within three years'
);
select is(app.drop_obstacle('2020-03-01', '2023-04-02Z'), null, 'but afterwards');
select is(
  app.drop_obstacle('2020-04-01', '2024-01-01Z'), '2020-03 is older and not dropped', 'not before an older month'
);
select is(app.drop_obstacle('2020-02-01', '2024-01-01Z'), 'it has no partition of its own', 'not without a partition');
insert into app.admin_actions (
  function, target_type, to_value, add_time
) values ('try_it', 'settings', '{}', '2020-02-01Z');
select is(
  app.drop_obstacle('2020-03-01', '2024-01-01Z'), 'the default partition has actions that are as old',
  'not before rows of the default partition'
);
alter table app.admin_actions_default disable trigger user;
delete from app.admin_actions_default where add_time < '2020-03-01Z';
alter table app.admin_actions_default enable trigger user;

select throws_ok(
  $$ select pg_temp.drop_month('2020-03-01', '2022-01-01Z') $$, 'PT422', 'invalid_argument',
  'a month within its term is not dropped'
);
select throws_ok(
  $$ select app.drop_actions('2020-03-01', 3, 'another', '2024-01-01Z') $$, 'PT422', 'invalid_argument',
  'nor one that was not exported'
);
insert into app.admin_actions (
  function, target_type, to_value, add_time
) values ('try_it', 'settings', '{}', '2020-03-31Z');
select throws_ok(
  $$ select app.drop_actions(
    '2020-03-01', 3, encode(sha256(string_agg(sha256(convert_to(e.line, 'UTF8')), '')), 'hex'), '2024-01-01Z'
  )
  from exported as e $$,
  'PT422', 'invalid_argument', 'nor one that has got an action since'
);
set timezone = 'Asia/Shanghai';
create temporary table digests as select * from app.digest_of_actions('2020-03-01');
reset timezone;
select is((select digest from digests), (
  select encode(sha256(string_agg(sha256(convert_to(l.line, 'UTF8')), '' order by l.number)), 'hex')
  from app.action_lines('2020-03-01') with ordinality as l (line, number)
), 'the digest is that of the lines, in every time zone');

select is(pg_temp.drop_month('2020-03-01', '2024-01-01Z'), true, 'March is dropped');
select is(app.drop_actions('2020-03-01', 0, ''), false, 'once');
select is(
  (select (month, row_count, digest)::text from app.dropped_actions),
  (select ('2020-03-01'::date, 4::bigint, digest)::text from digests), 'its number of actions and its digest are kept'
);
select is(app.actions_dropped_until(), '2020-04-01Z', 'and the watermark');
select hasnt_table('app'::name, 'admin_actions_202003'::name);
select is(
  (select (page ->> 'count', page ->> 'dropped_until')::text from pg_temp.page() as page),
  '(1,2020-04-01T00:00:00.000Z)', 'the list says until when actions are dropped'
);
select is(
  left(pg_temp.call(admins.id, 'get_actions', '{"p_from": "2020-03-20T00:00:00Z"}'), 21), 'PT409 actions_dropped',
  'a list from a time before is refused'
)
from admins;
select is((pg_temp.page('{"p_from": "2020-04-01T00:00:00Z"}') ->> 'count'), '1', 'a later one is not');
select is(
  (select from_value from app.admin_actions where function = 'drop_actions'),
  (select jsonb_build_object('rows', 4, 'digest', digest) from digests), 'that it was dropped is an action, too'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');
select is_empty(
  $$ select * from app.verify_manifest() where severity <> 'ok' $$, 'nor does the comparison with the manifest'
);

select * from finish();
rollback;
