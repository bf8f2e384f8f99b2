-- Archiving of old months, and attaching them again.

create or replace function app.oldest_part(p_table text)
returns date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select min(to_date(right(c.relname, 6), 'YYYYMM'))
  from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
  where i.inhparent = to_regclass(format('app.%I', p_table)) and c.relname ~ '_[0-9]{6}$'
$$;

comment on function app.oldest_part is 'Returns the oldest month of a table that is attached; null if none has a partition of its own.';

create or replace function app.open_order_of_part(p_part regclass, p_received_before timestamptz, p_now timestamptz)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order bigint;
begin
  execute format($sql$
    select o.id
    from (select distinct l.order_id as id from %s as l where l.order_id is not null) as b
    join app.orders as o on o.id = b.id
    left join app.commission_maturities as m on m.order_id = o.id
    where o.state = 'unpaid' or o.refund_status = 1
      or (o.refund_status <> 2 and (o.state in ('paid', 'delivered') or o.received_at >= $1))
      or (m.amount_left > 0 and (m.matures_at is null or m.matures_at > $2))
      or exists (select from app.provider_refunds as p where p.order_id = o.id and p.state = 'refunding')
    order by o.id limit 1
  $sql$, p_part) into v_order using p_received_before, p_now;
  return v_order;
end
$$;

comment on function app.open_order_of_part is
  'Returns an order with rows in a month of the bill that is open, can be refunded as a matter of course, or has commission that matures; '
  'null if there is none.';

create or replace function app.archive_obstacle(p_table text, p_month date, p_now timestamptz)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_part regclass := app.month_part(p_table, p_month);
  v_window interval := (select s.refund_window_days from app.settings as s) * interval '1 day';
  v_bounds record := app.part_bounds(p_table, p_month);
  v_ends_at timestamptz := (p_month + interval '1 month') at time zone 'UTC';
  v_is_behind boolean;
  v_unreleased date;
  v_open bigint;
begin
  if v_part is null then
    return 'it has no partition of its own';
  elsif app.oldest_part(p_table) <> p_month then
    return format('%s is older and not archived', to_char(app.oldest_part(p_table), 'YYYY-MM'));
  elsif v_ends_at > p_now - v_window then
    return format('it ended less than %s days ago', extract(day from v_window));
  end if;
  execute format('select exists (select from app.%I as t where t.%I < %L)', p_table || '_default', v_bounds.key, v_bounds.upper) into v_is_behind;
  if v_is_behind then
    return 'the default partition has rows that are as old';
  elsif p_table = 'admin_actions' then
    return null;
  elsif exists (select from app.compacted_months as c where c.month = p_month) then
    return 'its releases are compacted: npm run expand';
  end if;
  execute format('select greatest(max(t.add_time), %L) >= %L from %s as t', v_ends_at, app.carried_until() + interval '1 microsecond', v_part) into v_is_behind;
  if v_is_behind then
    return 'the nightly reconciliation has not proved it as a closed month';
  end if;
  v_unreleased := (select min(u.day) from app.unreleased_days((p_month + interval '1 month')::date - 1) as u (day));
  if v_unreleased is not null then
    return format('the release of %s is not finished', v_unreleased);
  elsif p_table = 'points_release_log' then
    return null;
  end if;
  v_open := app.open_order_of_part(v_part, p_now - v_window, p_now);
  if v_open is not null then
    return format('order %s is open, can be refunded, or has commission that matures', v_open);
  end if;
  execute format('select min(w.id) from %s as l join app.withdrawals as w on w.id = l.withdrawal_id where w.ended_at is null', v_part) into v_open;
  return case when v_open is not null then format('withdrawal %s is open', v_open) end;
end
$$;

comment on function app.archive_obstacle is 'Returns why a month of the bill, the release log or the action log cannot be archived, or null if it can.';

-- Independent of the sequence of the rows. The settings make the text of a row the same in every session.
create or replace function app.digest_of_rows(p_query text, out row_count bigint, out digest numeric, out last_time timestamptz)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO'
set jit = off
as $$
begin
  execute format('select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0), max(t.add_time) from (%s) as t', p_query)
  into row_count, digest, last_time;
end
$$;

comment on function app.digest_of_rows is
  'Returns the number of rows of a query that reads a month, a digest that changes with every value of them, and the time of the last one. The digests of two parts add up.';

-- Locks: rows of app.archived_balances, which only archiving writes.
-- Not idempotent: the caller holds the lock of app.archived_months and inserts or deletes the row of the month.
create or replace function app.add_archived_sums(p_part regclass, p_sign integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format($sql$
    insert into app.archived_balances as c (uid, brokerage, frozen, available, commission, points, opening_balances, negative_openings, opening_brokerage, opening_points)
    select
      l.uid, $1 * sum(l.brokerage_delta), $1 * sum(l.frozen_delta), $1 * sum(l.available_delta),
      $1 * coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0),
      $1 * coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0),
      $1 * count(*) filter (where l.type = 'opening_balance'), $1 * count(*) filter (where l.type = 'opening_balance' and l.brokerage_delta < 0),
      $1 * coalesce(sum(l.brokerage_delta) filter (where l.type = 'opening_balance'), 0),
      $1 * coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.type = 'opening_balance'), 0)
    from %s as l
    group by l.uid
    order by l.uid
    on conflict (uid) do update
    set brokerage = c.brokerage + excluded.brokerage, frozen = c.frozen + excluded.frozen, available = c.available + excluded.available,
        commission = c.commission + excluded.commission, points = c.points + excluded.points,
        opening_balances = c.opening_balances + excluded.opening_balances, negative_openings = c.negative_openings + excluded.negative_openings,
        opening_brokerage = c.opening_brokerage + excluded.opening_brokerage, opening_points = c.opening_points + excluded.opening_points
  $sql$, p_part) using p_sign;
  if p_sign < 0 then
    delete from app.archived_balances as c
    where (c.brokerage, c.frozen, c.available, c.commission, c.points, c.opening_balances) = (0, 0, 0, 0, 0, 0);
  end if;
end
$$;

comment on function app.add_archived_sums is
  'Adds the sums of a month of the bill to those of the archived rows of each member, or with p_sign -1 takes them away.';

create or replace function app.has_long_reader(p_part regclass)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Without this, a transaction sees the sessions as they were when it looked first.
  perform pg_stat_clear_snapshot();
  return exists (
    select
    from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
    where l.relation = p_part and l.database = (select d.oid from pg_database as d where d.datname = current_database())
      and l.granted and l.pid <> pg_backend_pid() and a.xact_start < clock_timestamp() - interval '100 milliseconds'
  );
end
$$;

comment on function app.has_long_reader is
  'Returns whether a transaction that began more than 0.1 seconds ago has read a month, such as a dump. It may go on for long.';

create or replace function app.has_refund_request(p_part regclass)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_has boolean;
begin
  execute format(
    'select exists (select from app.refunds as r where r.state = ''requested'' and exists (select from %s as l where l.order_id = r.order_id))', p_part
  ) into v_has;
  return v_has;
end
$$;

comment on function app.has_refund_request is 'Returns whether a refund of an order with rows in a month of the bill is requested. A few index probes.';

-- Sums and digest are computed before anything is locked that others need: a closed month does not change. Only the detaching takes
-- such locks, for the bill first the structure lock, which every refund holds. A lock that is not free within 0.1 seconds ends the
-- attempt; writers that queued go on, and the next attempt begins after a random pause. While a long transaction reads the month, no
-- attempt is made, because others would wait in vain. Postgres cannot detach concurrently beside a default partition.
-- Locks: app.archived_months; the structure, the tables that the rows reference, the table and its partitions.
-- Idempotent: an archived month is left as it is.
create or replace function app.archive_month(p_table text, p_month date, p_now timestamptz default clock_timestamp())
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_part regclass;
  v_name text := app.name_of_part(p_table, p_month);
  v_bounds record := app.part_bounds(p_table, p_month);
  v_obstacle text;
  v_digest record;
begin
  -- Only archiving takes this lock, so nobody else queues behind it.
  perform set_config('lock_timeout', '10s', true);
  lock table app.archived_months in share row exclusive mode;
  if exists (select from app.archived_months as a where a.table_name = p_table and a.month = p_month) then
    return false;
  end if;
  v_obstacle := app.archive_obstacle(p_table, p_month, p_now);
  if v_obstacle is not null then
    perform app.fail('invalid_argument', format('The month %s of app.%s cannot be archived: %s.', to_char(p_month, 'YYYY-MM'), p_table, v_obstacle));
  end if;
  v_part := app.month_part(p_table, p_month);
  if p_table = 'admin_actions' then
    -- Nothing closes a month of actions: a transaction that began in it may still add a row.
    execute format('lock table %s in share mode', v_part);
  end if;
  perform set_config('lock_timeout', '100ms', true);
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  if p_table = 'user_bill' then
    perform app.add_archived_sums(v_part, 1);
  end if;
  for v_try in 1..40 loop
    begin
      if app.has_long_reader(v_part) then
        raise lock_not_available using message = format('another transaction is reading the month %s of app.%I', to_char(p_month, 'YYYY-MM'), p_table);
      end if;
      perform app.lock_structure() where p_table = 'user_bill';
      perform app.lock_for_partition(format('app.%I', p_table)::regclass, false);
      -- A refund may have been requested since.
      if p_table = 'user_bill' and app.has_refund_request(v_part) then
        perform app.fail('invalid_argument', format('The month %s cannot be archived: a refund was requested meanwhile.', to_char(p_month, 'YYYY-MM')));
      end if;
      execute format('alter table app.%I detach partition %s', p_table, v_part);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  -- A late release may have begun since. It holds the months until its record is committed (app.reject_archived_release).
  if p_table <> 'admin_actions' and exists (select from app.unreleased_days((p_month + interval '1 month')::date - 1)) then
    perform app.fail('invalid_argument', format('The month %s cannot be archived: a release has begun meanwhile.', to_char(p_month, 'YYYY-MM')));
  end if;
  execute format('alter table app.%I set schema archive', v_name);
  execute format('create trigger archived_rows_are_never_changed before update or delete on archive.%I for each row execute function app.reject_change()', v_name);
  -- Without the constraint, Postgres would read the month under the locks.
  if p_table <> 'admin_actions' and exists (select from pg_constraint as c where c.conrelid = v_part and c.conname = 'it_is_in_its_month') then
    execute format('alter table archive.%I attach partition archive.%I for values from (%L) to (%L)', p_table, v_name, v_bounds.lower, v_bounds.upper);
  end if;
  insert into app.archived_months (table_name, month, ends_at, row_count, digest, archived_at)
  values (p_table, p_month, greatest((p_month + interval '1 month') at time zone 'UTC', v_digest.last_time + interval '1 microsecond'), v_digest.row_count, v_digest.digest, p_now);
  perform app.record_action('archive_month', 'month', to_char(p_month, 'YYYY-MM'), null, jsonb_build_object('table', p_table, 'rows', v_digest.row_count));
  return true;
end
$$;

comment on function app.archive_month is
  'Detaches the oldest month of the bill, the release log or the action log and moves it to schema archive, if nothing of it is open '
  '(app.archive_obstacle). '
  'p_month is its first day; months are in UTC. Returns false if it was archived before.';

-- A month that cannot be archived ends the run for its table, because later months come after it.
-- Idempotent, also when it runs concurrently: an archived month is left as it is.
create or replace procedure app.archive_due_months()
language plpgsql
as $$
declare
  v_run record := app.begin_run('archive_due_months', 1);
  v_table pg_catalog.text;
  v_month pg_catalog.date;
begin
  commit;
  foreach v_table in array app.monthly_tables() loop
    loop
      v_month := app.oldest_part(v_table);
      exit when v_month is null or app.archive_obstacle(v_table, v_month, pg_catalog.clock_timestamp()) is not null;
      perform app.archive_month(v_table, v_month);
      perform app.end_batch(v_run.id);
      commit;
      perform app.show_month(v_table, v_month);
      commit;
      raise notice '% % is archived', v_table, pg_catalog.to_char(v_month, 'YYYY-MM');
    end loop;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.archive_due_months is
  'Archives the oldest months of the bill, the release log and the action log of which nothing is open any more (app.archive_obstacle).';

create or replace function app.require_archived_rows(p_archived app.archived_months, p_row_count bigint, p_digest numeric)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if (p_row_count, p_digest) is distinct from (p_archived.row_count, p_archived.digest) then
    raise exception using errcode = 'data_corrupted', message = format(
      'the rows of %s %s are not what was archived: %s rows with digest %s then, %s with %s now',
      p_archived.table_name, to_char(p_archived.month, 'YYYY-MM'), p_archived.row_count, p_archived.digest, p_row_count, p_digest
    );
  end if;
end
$$;

comment on function app.require_archived_rows is 'Raises data_corrupted if the number of rows and the digest of a month are not those that were archived.';

-- Only archiving takes this lock, so nobody else queues behind it. What follows waits for no lock longer than 0.1 seconds.
-- Locks: app.archived_months.
create or replace function app.lock_archived_month(p_table text, p_month date)
returns app.archived_months
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_archived app.archived_months;
begin
  perform set_config('lock_timeout', '10s', true);
  lock table app.archived_months in share row exclusive mode;
  perform set_config('lock_timeout', '100ms', true);
  select a.* into v_archived from app.archived_months as a where a.table_name = p_table and a.month = p_month;
  if not found then
    perform app.fail('invalid_argument', format('%s of app.%s is not archived.', to_char(p_month, 'YYYY-MM'), p_table));
  end if;
  return v_archived;
end
$$;

comment on function app.lock_archived_month is 'Locks the archived months and returns one of them. Raises invalid_argument if it is not archived.';

-- Locks: app.archived_months; the table of the month.
-- Idempotent: a month that can be read is left as it is, and so is one without a table here.
create or replace function app.show_month(p_table text, p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_bounds record := app.part_bounds(p_table, p_month);
  v_digest record;
begin
  if p_table = 'admin_actions' or v_part is null or app.archive_part(p_table, p_month) is not null then
    return false;
  end if;
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
  perform app.bound_month(v_part, p_table, p_month);
  execute format('alter table archive.%I attach partition %s for values from (%L) to (%L)', p_table, v_part, v_bounds.lower, v_bounds.upper);
  return true;
end
$$;

comment on function app.show_month is
  'Makes an archived month of the bill or the release log readable whose table is in schema archive, such as one that was restored, if its rows are those that were '
  'archived. Returns whether it was not readable before.';

-- The month is verified, and its bounds are proved by a constraint, before anything is locked.
-- Locks: app.archived_months; the tables that the rows reference, the table, the default partition, the archive.
create or replace function app.attach_month(p_table text, p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_name text := app.name_of_part(p_table, p_month);
  v_bounds record := app.part_bounds(p_table, p_month);
  v_digest record;
begin
  if exists (select from app.archived_months as a where a.table_name = p_table and a.month > p_month) then
    perform app.fail('invalid_argument', format('%s is not the last archived month of app.%s.', to_char(p_month, 'YYYY-MM'), p_table));
  elsif v_archived.moved_at is not null then
    perform app.fail('invalid_argument', format('The rows of %s are on the other server. Bring them back first.', to_char(p_month, 'YYYY-MM')));
  elsif v_part is null then
    perform app.fail('invalid_argument', format('There is no table archive.%s. Restore its dump first.', v_name));
  end if;
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
  perform app.bound_month(v_part, p_table, p_month);
  delete from app.archived_months as a where a.table_name = p_table and a.month = p_month;
  if p_table = 'user_bill' then
    perform app.add_archived_sums(v_part, -1);
  end if;
  for v_try in 1..40 loop
    begin
      perform app.lock_for_partition(format('app.%I', p_table)::regclass, true);
      -- The table itself, because a read must see the month either archived or attached (app.hold_months).
      execute format('lock table only app.%I, only app.%I in access exclusive mode', p_table, p_table || '_default');
      if app.archive_part(p_table, p_month) is not null then
        execute format('alter table archive.%I detach partition %s', p_table, v_part);
      end if;
      execute format('drop trigger if exists archived_rows_are_never_changed on %s', v_part);
      execute format('alter table archive.%I set schema app', v_name);
      execute format('alter table app.%I attach partition app.%I for values from (%L) to (%L)', p_table, v_name, v_bounds.lower, v_bounds.upper);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  perform app.record_action('attach_month', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('table', p_table, 'rows', v_digest.row_count), null);
end
$$;

comment on function app.attach_month is
  'Attaches the last archived month of the bill, the release log or the action log again, if its rows are those that were archived.';

-- Idempotent: attached months are left as they are.
create or replace procedure app.attach_months(p_table text, p_from text)
language plpgsql
as $$
declare
  v_first pg_catalog.date := app.month_start(p_from);
  v_month pg_catalog.date;
begin
  perform app.require_monthly_table(p_table);
  loop
    select pg_catalog.max(a.month) into v_month from app.archived_months as a where a.table_name = p_table and a.month >= v_first;
    exit when v_month is null;
    perform app.attach_month(p_table, v_month);
    commit;
    raise notice '% % is attached', p_table, pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
end
$$;

comment on procedure app.attach_months is
  'Attaches the archived months of the bill, the release log or the action log from a month (YYYY-MM) on, the last one first.';
