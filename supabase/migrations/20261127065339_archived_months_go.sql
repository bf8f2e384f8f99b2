-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- Months of the bill and of the release log are no longer archived, nor moved to another server. A store that has such months is refused here, with the way back by the version that it has,
-- as by `npm run upgrade -- --check` (scripts/deploy/archived_findings.ts). The lock ends what archives at this moment, and what follows lets nothing archive later.
do $$
declare
  v_month record;
begin
  lock table app.archived_months in access exclusive mode;
  for v_month in
    select a.table_name, to_char(a.month, 'YYYY-MM') as month, a.moved_at is not null as is_moved, to_regclass(format('archive.%I', a.table_name || to_char(a.month, '_YYYYMM'))) is not null as is_here
    from app.archived_months as a
    order by a.table_name, a.month
  loop
    if v_month.is_moved then
      raise exception 'the month % of app.% is on another server', v_month.month, v_month.table_name using
        hint = format('Nothing has changed. With the version that the store has: call app.bring_back_months(%L, %L), then call app.attach_months(%1$L, %2$L).', v_month.table_name, v_month.month);
    elsif v_month.is_here then
      raise exception 'the month % of app.% is archived', v_month.month, v_month.table_name using
        hint = format('Nothing has changed. With the version that the store has: call app.attach_months(%L, %L).', v_month.table_name, v_month.month);
    elsif v_month.table_name <> 'admin_actions' then
      raise exception 'the month % of app.% was archived, and its table dropped', v_month.month, v_month.table_name using
        hint = format('Nothing has changed. With the version that the store has: restore the dump of archive.%s, then call app.attach_months(%L, %L). Without a dump, the store stays on 1.x.',
          v_month.table_name || replace('_' || v_month.month, '-', ''), v_month.table_name, v_month.month);
    end if;
  end loop;
  for v_month in
    select c.relname from pg_class as c
    where c.relnamespace = 'archive'::regnamespace and c.relkind in ('r', 'p', 'f', 'v') and c.relname !~ '_[0-9]{6}_(original|rest|runs|whole)$'
      and c.relname not in ('points_release_log', 'user_bill', 'other_digests', 'other_months', 'other_server', 'other_unlimited')
    order by c.relname
  loop
    raise exception 'schema archive has the table %, which is no archived month', v_month.relname using
      hint = 'Nothing has changed. Drop it, or move it to another schema: the schema goes.';
  end loop;
end
$$;

-- Dropped months of the action log stay known by their number of rows and their digest.
create table app.dropped_actions (
  month date primary key,
  row_count bigint not null,
  digest text not null,
  dropped_at timestamptz not null,
  constraint month_is_its_first_day check (extract(day from month) = 1),
  constraint digest_is_a_number check (digest ~ '^-?[0-9a-f]{1,64}$')
);
alter table app.dropped_actions enable row level security;
insert into app.dropped_actions (month, row_count, digest, dropped_at)
select a.month, a.row_count, a.digest::text, a.archived_at from app.archived_months as a where a.table_name = 'admin_actions' order by a.month;
delete from app.archived_months;

-- The job, its runs and its entries of pg_cron.
delete from app.job_runs as r where r.job = 'archive_due_months';
delete from app.scheduled_jobs as j where j.name = 'archive_due_months';
do $$
begin
  if to_regclass('cron.job') is not null then
    execute $sql$ select cron.unschedule(j.jobid) from cron.job as j where j.jobname ~ '^archive_due_months(:|$)' or j.command ~ 'app\.archive_due_months' $sql$;
  end if;
end
$$;
drop procedure app.archive_due_months();
drop function app.archive_month(text, date, timestamptz);

-- The other server, with its foreign tables and the mapping of users, which has a password. The extension stays: others may use it.
drop function app.set_other_server(jsonb, text, text);
drop server if exists archive_server cascade;

-- What is left belongs to the compaction: originals of compacted months, and what is being built.
create schema compacted;
do $$
declare
  v_table record;
begin
  for v_table in
    select c.oid::regclass as name, c.relname, exists (select from pg_trigger as t where t.tgrelid = c.oid and t.tgname = 'archived_rows_are_never_changed') as has_trigger
    from pg_class as c
    where c.relnamespace = 'archive'::regnamespace and c.relkind = 'r' and c.relname ~ '_[0-9]{6}_(original|rest|runs|whole)$'
    order by c.relname
  loop
    if v_table.has_trigger then
      execute format('alter trigger archived_rows_are_never_changed on %s rename to originals_are_never_changed', v_table.name);
    end if;
    execute format('alter table %s set schema compacted', v_table.name);
  end loop;
end
$$;

-- The sums of a day had no commission if its bill was archived before. Such days are summed again.
delete from app.day_sums as s where s.commission is null;
-- squawk-ignore adding-not-nullable-field
alter table app.day_sums drop constraint commission_iff_points, alter column commission set not null, alter column points_frozen set not null;
