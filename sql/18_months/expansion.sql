-- Expanding compacted months again, and what becomes of the originals.

-- What is built is read by nobody yet, so the month has all its rows.
-- Locks: app.lock_compaction; the tables that the foreign keys of the rest reference, the partitions.
create or replace function app.give_up_compaction(p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_table text;
begin
  for v_try in 1..40 loop
    begin
      foreach v_table in array '{points_release_log, user_bill}'::text[] loop
        perform app.lock_for_partition(format('app.%I', v_table)::regclass, true);
        execute format('drop table if exists compacted.%I', app.built_part(v_table, p_month, 'rest'));
        execute format('alter table app.%I drop constraint it_takes_no_more_rows', app.name_of_part(v_table, p_month));
      end loop;
      execute format('drop table if exists compacted.%I', app.built_part('compacted_releases', p_month, 'runs'));
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  delete from app.compacted_months as c where c.month = p_month;
end
$$;

comment on function app.give_up_compaction is
  'Drops what was built to compact a month that is not compacted yet, and lets it take rows again.';

-- Locks: app.lock_compaction; the tables that the foreign keys reference, against writers, for a moment at the end.
-- Idempotent: what is built is left as it is.
create or replace function app.build_expansion(p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_month app.compacted_months;
  v_table text;
  v_whole text;
  v_digest record;
  v_is_same boolean;
begin
  perform app.lock_compaction();
  select c.* into v_month from app.compacted_months as c where c.month = p_month;
  if v_month.state is null then
    perform app.fail('invalid_argument', format('The releases of %s are not compacted.', to_char(p_month, 'YYYY-MM')));
  elsif v_month.state in ('prepared', 'built') then
    perform app.give_up_compaction(p_month);
    return false;
  elsif v_month.state = 'expanding' then
    return false;
  end if;
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    v_whole := app.create_part(v_table, p_month, 'whole');
    execute format(
      'insert into %s select a.* from (select t.* from %s as t union all %s) as a order by a.add_time, a.id',
      v_whole, app.month_part(v_table, p_month), app.expanded_query(v_table, p_month)
    );
    v_digest := app.digest_of_rows(format('select * from %s', v_whole));
    v_is_same := case v_table
      when 'user_bill' then (v_digest.row_count, v_digest.digest) = (v_month.bill_rows, v_month.bill_digest)
      else (v_digest.row_count, v_digest.digest) = (v_month.log_rows, v_month.log_digest)
    end;
    if not v_is_same then
      raise exception using errcode = 'data_corrupted', message = format(
        'The month %s of app.%I is not what was compacted: it has %s rows with digest %s now',
        to_char(p_month, 'YYYY-MM'), v_table, v_digest.row_count, v_digest.digest
      );
    end if;
  end loop;
  perform app.constrain_part('points_release_log', p_month, 'whole');
  perform app.constrain_part('user_bill', p_month, 'whole');
  update app.compacted_months as c set state = 'expanding', checked_at = null where c.month = p_month;
  return true;
end
$$;

comment on function app.build_expansion is
  'The first step of expanding a month: builds its bill and release log with all rows beside it; an unfinished '
  'compaction is given up instead. Returns whether it was built. Raises invalid_argument if it is not compacted, and '
  'data_corrupted if rows differ.';

-- Locks: the tables that the foreign keys of the originals reference.
-- Idempotent: what is dropped is gone.
create or replace function app.drop_originals(p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_table text;
  v_name text;
  v_dropped boolean := false;
begin
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    v_name := format('compacted.%I', app.built_part(v_table, p_month, 'original'));
    if to_regclass(v_name) is not null then
      perform app.lock_for_partition(format('app.%I', v_table)::regclass, true);
      execute format('drop table %s', v_name);
      v_dropped := true;
    end if;
  end loop;
  return v_dropped;
end
$$;

comment on function app.drop_originals is
  'Drops the original partitions of a compacted month, and returns whether there were any.';

-- Locks: app.lock_compaction; see app.exchange_parts.
create or replace function app.exchange_expanded(p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month app.compacted_months;
  v_table text;
begin
  perform app.lock_compaction();
  select c.* into v_month from app.compacted_months as c where c.month = p_month and c.state = 'expanding';
  if not found then
    return false;
  end if;
  perform app.exchange_parts(p_month, 'whole', 'rest', false);
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    execute format('drop table compacted.%I', app.built_part(v_table, p_month, 'rest'));
  end loop;
  perform app.drop_originals(p_month);
  delete from app.compacted_months as c where c.month = p_month;
  perform app.record_action(
    'expand_month', 'month', to_char(p_month, 'YYYY-MM'),
    jsonb_build_object('releases', v_month.releases, 'runs', v_month.runs, 'kept', v_month.kept), null
  );
  return true;
end
$$;

comment on function app.exchange_expanded is
  'The last step: lets the rows take the place of the runs, which are dropped. Returns false if the month is not '
  'built.';

-- Idempotent, also when it runs concurrently: each step is.
create or replace procedure app.expand_month(p_month date)
language plpgsql
as $$
begin
  perform app.build_expansion(p_month);
  commit;
  perform app.check_parts(p_month);
  commit;
  perform app.exchange_expanded(p_month);
  commit;
end
$$;

comment on procedure app.expand_month is
  'Restores the releases of a compacted month, whose first day is p_month, in steps with a commit each. Raises '
  'invalid_argument if it is not compacted.';

create or replace function app.next_month_to_compact(p_now timestamptz)
returns date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select min(s.month)
  from app.month_seals as s left join app.compacted_months as c on c.month = s.month
  where c.state in ('prepared', 'built') or c.month is null and app.compaction_obstacle(s.month, p_now) is null
$$;

comment on function app.next_month_to_compact is
  'Returns the oldest sealed month whose releases can be compacted and are not; null: none.';

-- Idempotent, also when it runs concurrently: each step is.
create or replace procedure app.compact_due_months()
language plpgsql
as $$
declare
  v_run record := app.begin_run('compact_due_months', 1);
  v_month pg_catalog.date;
begin
  commit;
  loop
    v_month := app.next_month_to_compact(pg_catalog.clock_timestamp());
    exit when v_month is null;
    call app.compact_month(v_month);
    perform app.end_batch(v_run.id);
    commit;
    raise notice '% is compacted', pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
  for v_month in
    select c.month from app.compacted_months as c
    where c.state = 'compacted'
      and c.compacted_at < pg_catalog.clock_timestamp() - app.original_days() * interval '1 day'
    order by c.month
  loop
    for v_try in 1..40 loop
      begin
        perform app.drop_originals(v_month);
        exit;
      exception when lock_not_available then
        if v_try = 40 then
          raise;
        end if;
        perform pg_catalog.pg_sleep(0.05 + 0.1 * pg_catalog.random());
      end;
    end loop;
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.compact_due_months is
  'Compacts the releases of sealed months, the oldest first, and drops the originals that are older than '
  'app.original_days().';
