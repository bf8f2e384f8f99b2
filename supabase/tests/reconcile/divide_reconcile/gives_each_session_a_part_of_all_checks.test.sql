begin;
\ir ../../support/fixture.psql
select plan(13);

delete from app.reconcile_runs;
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 12) as n;
create function pg_temp.begin_one(p_sessions integer) returns bigint language plpgsql as $$
declare
  v_id bigint;
begin
  delete from app.reconcile_ranges;
  delete from app.reconcile_runs;
  update app.settings set night_sessions = p_sessions;
  v_id := app.begin_reconcile((app.begin_run('reconcile_bill', 100)).id);
  return v_id;
end
$$;

select ok(pg_temp.begin_one(1) is not null, 'a reconciliation in one session');
select is((select count(*) from app.reconcile_ranges), 0::bigint, 'has no ranges');

select ok(pg_temp.begin_one(2) is not null, 'one in two sessions');
select results_eq(
  $$ select keys, count(*) > 1 from app.reconcile_ranges group by keys
  order by keys $$, $$ values ('members', true), ('orders', false), ('others', false) $$,
  'has several ranges of members, here one of orders, of which there are none, and one for other checks'
);
select ok(
  (select max(g.members) - min(g.members) <= 1 from (
    select (select count(*) from app.users as u where u.uid between r.first_key and r.last_key) as members
    from app.reconcile_ranges as r where r.keys = 'members'
  ) as g),
  'with as many members each, or one more'
);
select is(
  (select count(*) from app.reconcile_ranges as r where r.first_key <> coalesce(
    (select max(b.last_key) + 1 from app.reconcile_ranges as b where b.keys = r.keys and b.last_key < r.last_key), 0
  )),
  0::bigint, 'that meet and begin with 0'
);
select is(
  (select count(*) from app.reconcile_ranges where last_key = 9223372036854775807), 3::bigint, 'and have no end'
);

update app.settings set night_sessions = 8;
create temporary table run as select (app.begin_run('reconcile_bill', 100)).id;
select is(app.begin_reconcile((select id from run)), (select id from app.reconcile_runs), 'a second session joins it');
select is(
  (
    select (t.keys, t.run = (select id from run))
    from app.take_checks((select id from app.reconcile_runs), (select id from run)) as t
  )::text,
  '(others,t)',
  'takes what cannot be divided first'
);
select is(
  (select t.keys from app.take_checks((select id from app.reconcile_runs), (select id from run)) as t), 'orders',
  'then another one, because it visits the first'
);
update app.job_runs set cut_at = now() where id = (select id from run);
select is(
  (select t.keys from app.take_checks((select id from app.reconcile_runs), (select id from run) + 1) as t), 'others',
  'and the range of a cut run is taken up'
);

update app.reconcile_ranges set check_no = null, findings = 2, sample = '[{"subject": "1"}, {"subject": "2"}]'
where keys <> 'members';
update app.reconcile_ranges set check_no = null;
select app.gather_findings((select id from app.reconcile_runs));
select app.gather_findings((select id from app.reconcile_runs));
select is(
  (select (findings, jsonb_array_length(sample))::text from app.reconcile_runs), '(4,4)',
  'the findings of the ranges are those of the reconciliation, once'
);
update app.reconcile_runs set finished_at = clock_timestamp();
select is(
  app.begin_reconcile((app.begin_run('reconcile_bill', 100)).id), null,
  'a session that comes after its end begins no other one'
);

select * from finish();
rollback;
