begin;
\ir ../support/fixture.psql
select plan(2);

-- The plans of a run are made when the log is empty. They must not read all of it for each member once there are many
-- rows.
insert into app.users (uid, nickname) overriding system value select 1000000 + i, 'm'
from generate_series(1, 2000) as i;
insert into app.user_balances (uid, frozen_points, total_points_earned) select u.uid, 1000, 1000 from app.users as u
where u.uid > 1000000;
analyze app.user_balances, app.points_release_log;
create function pg_temp.log_rows_read() returns bigint language sql as $$
  select sum(pg_stat_get_xact_tuples_returned(r.oid))::bigint
  from pg_partition_tree('app.points_release_log') as t
  cross join lateral (
    select t.relid::oid as oid union all select x.indexrelid from pg_index as x where x.indrelid = t.relid
  ) as r
$$;
create temporary table before as select pg_temp.log_rows_read() as rows;
do $$ declare v_uids bigint[] := '{1000000}'; begin
  for v_n in 1..20 loop
    v_uids := app.release_candidates('2020-01-02', v_uids[cardinality(v_uids)], 100);
    perform app.release_members('2020-01-02', v_uids, '2020-01-02T12:00:00Z');
  end loop;
end $$;
create temporary table released as select pg_temp.log_rows_read() - b.rows as rows_read from before as b;
select is(
  (select count(*) from app.points_release_log as l where l.release_date = '2020-01-02' and l.uid > 1000000),
  2000::bigint, 'everybody is released'
);
select cmp_ok((select r.rows_read from released as r), '<', 500::bigint, 'no releases of other members are read');

select * from finish();
rollback;
