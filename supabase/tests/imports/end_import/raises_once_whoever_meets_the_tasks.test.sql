-- Guarantee rules/import: The end of an import raises, once, the members who meet the tasks by it
-- By: app.end_import
begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(10);

-- Ann is held at level 2; Bob is at level 1, with one direct order that counts: that of Cid whose refund was requested
-- and is none here.
select pg_temp.stage();
delete from app.staged_refunds where order_no = 'old3';
select app.set_agent_levels(
  (
    select jsonb_agg(
      case
        when l -> 'grade' = '0' then l
        else jsonb_set(
          l, '{tasks}', jsonb_build_object('umbrella_orders', (array[1, 1, 2, 9])[(l ->> 'grade')::integer])
        )
      end
    )
    from jsonb_array_elements(app.levels_json()) as l
  ),
  null, now()
);
update app.staged_members set level = null where uid = '502';
create temporary table other as select pg_temp.sign_up() as uid;
create function pg_temp.levels() returns text language sql as $$ select string_agg(
  u.uid || ' ' || u.agent_level, ', ' order by u.uid
)
  from app.users as u where u.uid in (501, 502, 503) $$;

select pg_temp.import();
select is(
  pg_temp.levels(), '501 2, 502 2, 503 0', 'who meets the tasks has risen, grade by grade; a held level has not'
);
select results_eq($$ select c.from_level::integer, c.to_level::integer, c.reason, c.cause, c.order_id,
  c.position = i.finished_position from app.level_changes as c, app.imports as i where c.uid = 502 order by c.id $$,
  $$ values (0, 1, 'tasks', 'import', null::bigint, true), (1, 2, 'tasks', 'import', null, true) $$,
  'the end of the import is the cause');
select results_eq(
  $$ select e.payload ->> 'to_level', e.cause from app.events as e where e.type = 'level.reached' and e.uid = 502
  order by e.id $$, $$ values ('1', 'job'), ('2', 'job') $$, 'each grade is told'
);
select pg_temp.sum_teams();
select is_empty(
  'select * from app.reconcile() union all select * from app.reconcile_decisions(null)', 'reconcile() finds nothing'
);

-- The next order pays Bob by the level that the import brought, and a simulation of the import and the order agrees.
create temporary table next as select pg_temp.report(503) as id;
select is(
  (
    select l.agent_level::integer from app.user_bill as l, next
    where l.order_id = next.id and l.uid = 502 and l.source = 'direct'
  ),
  2, 'the next order is paid by the level'
);
select is(r.report #> '{totals,simulated}', r.report #> '{totals,paid}', 'a simulation pays the same')
from (select app.simulate(null, null, now() - interval '1 day', now() + interval '1 day') as report) as r;
update app.rule_versions set position = (select max(position) + 1 from app.settlements) where version = 2;
select isnt(
  r.report #> '{totals,simulated,points}', r.report #> '{totals,paid,points}',
  'by the first rules, the end of the import raises nobody'
)
from (select app.simulate(null, null, now() - interval '1 day', now() + interval '1 day') as report) as r;
update app.rule_versions set position = 0 where version = 2;

-- Only once: without an unfinished import, nothing happens; one that is abandoned has ended, too.
update app.users set agent_level = 0 where uid = 502;
select is_empty('select * from app.finish_import(now())', 'nothing ends twice');
select is(pg_temp.levels(), '501 2, 502 0, 503 0', 'nobody rises again');
select app.begin_import('neutral', repeat('1', 64), now());
select app.abandon_import(now());
select is(pg_temp.levels(), '501 2, 502 3, 503 0', 'the end of an abandoned import raises');

select * from finish();
rollback;
