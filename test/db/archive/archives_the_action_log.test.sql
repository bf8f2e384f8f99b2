begin;
\ir ../support/fixture.psql
\ir ../support/archive.psql
select plan(17);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
insert into app.admin_actions (actor, function, target_type, target_id, from_value, to_value, add_time)
select a.id, 'set_agent_level', 'member', '10001', jsonb_build_object('agent_level', n), jsonb_build_object('agent_level', n + 1), '2025-03-01Z'::timestamptz + n * interval '12 days'
from admins as a, generate_series(0, 3) as n;
create function pg_temp.page(p_args jsonb default '{}') returns jsonb language sql as $$
  select pg_temp.call(admins.id, 'get_actions', p_args || '{"p_target_type": "member"}')::jsonb from admins
$$;
create temporary table before as select pg_temp.page() as page;
select is((select (page ->> 'count', page ->> 'archived_until')::text from before), '(4,)', 'four actions are listed, none is archived');

update app.settings set refund_window_days = 3650;
select matches(app.archive_obstacle('admin_actions', '2025-03-01', now()), '^it ended less than 3650 days ago', 'not within the refund window');
update app.settings set refund_window_days = 365;
select is(app.archive_obstacle('admin_actions', '2025-04-01', now()), '2025-03 is older and not archived', 'not before an older month');
insert into app.admin_actions (function, target_type, to_value, add_time) values ('try_it', 'settings', '{}', '2025-02-01Z');
select is(app.archive_obstacle('admin_actions', '2025-03-01', now()), 'the default partition has rows that are as old', 'not before rows of the default partition');
alter table app.admin_actions_default disable trigger user;
delete from app.admin_actions_default where add_time < '2025-03-01Z';
alter table app.admin_actions_default enable trigger user;

select is(app.archive_month('admin_actions', '2025-03-01'), true, 'March is archived, without a proof of the nightly reconciliation');
select is(app.archive_month('admin_actions', '2025-03-01'), false, 'only once');
select results_eq('select row_count from app.archived_months where table_name = ''admin_actions''', array[3::bigint], 'with its three rows');
select is((select (page ->> 'count', page ->> 'archived_until')::text from pg_temp.page() as page), '(1,2025-04-01T00:00:00.000Z)', 'the list says until when actions are archived');
select is(left(pg_temp.call(admins.id, 'get_actions', '{"p_from": "2025-03-20T00:00:00Z"}'), 20), 'PT409 month_archived', 'a list from an archived time is refused') from admins;
select is((pg_temp.page('{"p_from": "2025-04-01T00:00:00Z"}') ->> 'count'), '1', 'a later one is not');
select throws_ok('update archive.admin_actions_202503 set actor = null', '23001', null, 'its rows are not changed');
select throws_ok('truncate archive.admin_actions_202503', '23001', null, 'nor removed');
select ok(not has_table_privilege('store_admin', 'archive.admin_actions_202503', 'select'), 'and nobody but the owner reads them');
select is((select to_value ->> 'table' from app.admin_actions where function = 'archive_month' order by id desc limit 1), 'admin_actions', 'that it was archived is an action, too');

savepoint damage;
alter table archive.admin_actions_202503 disable trigger user;
update archive.admin_actions_202503 set to_value = '{"agent_level": 4}' where from_value = '{"agent_level": 0}';
select throws_ok($$ select app.attach_month('admin_actions', '2025-03-01') $$, 'XX001', null, 'a month with a changed action is not attached');
rollback to savepoint damage;
select app.attach_month('admin_actions', '2025-03-01');
select is(pg_temp.page(), (select page from before), 'attached again, the list is what it was');
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
