begin;
\ir ../../support/fixture.psql
select plan(5);

-- Nine members in a tree with an order each: commission, points, rises, a refund and a release.
create temporary table m (n integer, uid bigint);
do $$
begin
  for k in 1..9 loop
    insert into m select k, pg_temp.sign_up((select m.uid::text from m where m.n = k / 2));
  end loop;
end $$;
create temporary table o as select n, uid, pg_temp.report(uid) as id from m order by n;
select app.refund_order((select id from o where n = 9), null, 'refund', now());
select app.begin_release(app.business_day(now()), false, now());
select app.release_chunk(app.business_day(now()), array(select uid from m order by uid), now());
select app.end_release(app.business_day(now()), 0, now());

create function pg_temp.in_slices(p_batch integer) returns jsonb language plpgsql as $$
declare v_id bigint;
begin
  insert into app.reconcile_runs (started_at) values (now()) returning id into v_id;
  while app.reconcile_slice(v_id, p_batch) loop end loop;
  return (
    select jsonb_build_object(
      'findings', r.findings, 'sample', (select jsonb_agg(f order by f::text) from jsonb_array_elements(r.sample) as f)
    )
    from app.reconcile_runs as r where r.id = v_id and r.finished_at is not null
  );
end $$;
create function pg_temp.at_once() returns jsonb language sql as $$
  select jsonb_build_object('findings', count(*), 'sample', jsonb_agg(to_jsonb(r) order by to_jsonb(r)::text))
  from app.reconcile() as r
$$;

select is(
  pg_temp.in_slices(1), pg_temp.at_once(), 'on an undamaged store, slices of one member or order have the same findings'
);
update app.user_balances set umbrella_orders = umbrella_orders + 1 where uid = (select uid from m where n = 2);
update app.user_balances set own_orders = own_orders + 1, available_points = available_points + 1
where uid = (select uid from m where n = 5);
update app.orders set queue_units = queue_units + 1 where id = (select id from o where n = 3);
update app.release_runs set users = users + 1 where release_date = app.business_day(now());
insert into app.release_runs (release_date, started_at) values ('2026-01-01', now());
update app.team_totals set umbrella_members = umbrella_members + 1 where uid = (select uid from m where n = 3);
-- These findings are of the sample: a slice that is too wide has some of them twice, one that is too narrow lacks some.
update app.settlements set base = base - 0.01 where order_id in (select id from o where n in (4, 6, 7));
select cmp_ok(
  (select count(*) from app.reconcile() as r where r.check_name = 'decision_equals_what_was_booked'), '>=', 3::bigint,
  'the sample finds the orders whose base is wrong'
);
select cmp_ok(
  (pg_temp.at_once() ->> 'findings')::integer, '>', 6,
  'after damage in several tables, there are more than six findings'
);
select is(pg_temp.in_slices(1), pg_temp.at_once(), 'slices of one member or order have the findings of reconcile()');
select is(pg_temp.in_slices(3), pg_temp.at_once(), 'slices of three have the findings of reconcile()');

select * from finish();
rollback;
