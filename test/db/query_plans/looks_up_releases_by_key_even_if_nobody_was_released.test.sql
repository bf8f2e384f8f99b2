begin;
\ir ../support/fixture.psql
select plan(2);

-- The plans of a run are made when the log is empty. They must not read all of it for each member once there are many rows.
insert into app.users (uid, nickname) overriding system value select 1000000 + i, 'm' from generate_series(1, 2000) as i;
insert into app.user_balances (uid, frozen_points, total_points_earned) select u.uid, 1000, 1000 from app.users as u where u.uid > 1000000;
analyze app.user_balances, app.points_release_log;
create function pg_temp.log_rows_read() returns bigint language sql as $$
  select sum(s.seq_tup_read)::bigint from pg_stat_xact_user_tables as s join pg_inherits as i on i.inhrelid = s.relid
  where i.inhparent = 'app.points_release_log'::regclass
$$;
create temporary table before as select pg_temp.log_rows_read() as rows;
do $$ declare v_uids bigint[] := '{1000000}'; begin
  for v_n in 1..20 loop
    v_uids := app.release_candidates('2020-01-02', v_uids[cardinality(v_uids)], 100);
    perform app.release_members('2020-01-02', v_uids, '2020-01-02T12:00:00Z');
  end loop;
end $$;
select is((select count(*) from app.points_release_log as l where l.release_date = '2020-01-02' and l.uid > 1000000), 2000::bigint, 'everybody is released');
select cmp_ok(pg_temp.log_rows_read() - (select b.rows from before as b), '<', 500::bigint, 'no releases of other members are read');

select * from finish();
rollback;
