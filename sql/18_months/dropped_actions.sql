-- Months of the action log beyond their term: exported, then dropped.

create or replace function app.action_days()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 1096
$$;

comment on function app.action_days is
  'Returns for how many days after its end a month of the action log is kept at least.';

create or replace function app.drop_obstacle(p_month date, p_now timestamptz)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_oldest date := (
    select min(to_date(right(c.relname, 6), 'YYYYMM')) from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'app.admin_actions'::regclass and c.relname ~ '_[0-9]{6}$'
  );
  v_ends_at timestamptz := (p_month + interval '1 month') at time zone 'UTC';
begin
  return case
    when app.month_part('admin_actions', p_month) is null then 'it has no partition of its own'
    when v_oldest <> p_month then format('%s is older and not dropped', to_char(v_oldest, 'YYYY-MM'))
    when v_ends_at > p_now - app.action_days() * interval '1 day' then format(
      'it ended less than %s days ago', app.action_days()
    )
    when exists (
      select from app.admin_actions_default as a where a.add_time < v_ends_at
    ) then 'the default partition has actions that are as old'
  end;
end
$$;

comment on function app.drop_obstacle is 'Returns why a month of the action log cannot be dropped, or null if it can.';

-- With the time zone, the text of an action is the same in every session.
create or replace function app.action_lines(p_month date)
returns setof text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  return query execute format(
    'select to_jsonb(a)::text from %s as a order by a.add_time, a.id', app.month_part('admin_actions', p_month)
  );
end
$$;

comment on function app.action_lines is
  'Returns the actions of a month in UTC, oldest first, as the lines of its export: JSON with all columns.';

create or replace function app.digest_of_actions(p_month date, out row_count bigint, out digest text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select count(*),
    encode(sha256(coalesce(string_agg(sha256(convert_to(l.line, 'UTF8')), '' order by l.number), '')), 'hex')
  from app.action_lines(p_month) with ordinality as l (line, number)
$$;

comment on function app.digest_of_actions is
  'Returns the number of the actions of a month, and the digest of its export, in hex: the SHA-256 of the SHA-256s of '
  'its lines, one after the other.';

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
  'Returns whether a transaction that began more than 0.1 seconds ago, such as a dump, holds a lock on a table.';

-- A lock that is not free within 0.1 seconds ends the attempt; writers that queued go on, and the next attempt begins
-- after a random pause. While a long transaction reads the month, no attempt is made, because others would wait in
-- vain.
-- Locks: app.dropped_actions; the partition; the action log and its default partition.
-- Idempotent: a month that was dropped stays so.
create or replace function app.drop_actions(
  p_month date, p_rows bigint, p_digest text, p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_part regclass;
  v_obstacle text;
  v_digest record;
begin
  -- Only this function takes the lock, so nobody else queues behind it.
  perform set_config('lock_timeout', '10s', true);
  lock table app.dropped_actions in share row exclusive mode;
  if exists (select from app.dropped_actions as d where d.month = p_month) then
    return false;
  end if;
  v_obstacle := app.drop_obstacle(p_month, p_now);
  if v_obstacle is not null then
    perform app.fail(
      'invalid_argument', format('The actions of %s cannot be dropped: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle)
    );
  end if;
  v_part := app.month_part('admin_actions', p_month);
  -- Nothing closes a month of actions: the owner of the database may add one.
  execute format('lock table %s in share mode', v_part);
  v_digest := app.digest_of_actions(p_month);
  if (v_digest.row_count, v_digest.digest) is distinct from (p_rows, p_digest) then
    perform app.fail(
      'invalid_argument',
      format(
        'The actions of %s are not those that were exported: %s with digest %s.', to_char(p_month, 'YYYY-MM'),
        v_digest.row_count, v_digest.digest
      )
    );
  end if;
  perform set_config('lock_timeout', '100ms', true);
  for v_try in 1..40 loop
    begin
      if app.has_long_reader(v_part) then
        raise lock_not_available using message = format(
          'another transaction is reading the actions of %s', to_char(p_month, 'YYYY-MM')
        );
      end if;
      execute format('drop table %s', v_part);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  insert into app.dropped_actions (month, row_count, digest, dropped_at) values (p_month, p_rows, p_digest, p_now);
  perform app.record_action(
    'drop_actions', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('rows', p_rows, 'digest', p_digest), null
  );
  return true;
end
$$;

comment on function app.drop_actions is
  'Drops a month of the action log that was exported with p_rows and p_digest (app.digest_of_actions). Returns false '
  'if it was dropped before. Raises invalid_argument if it must stay (app.drop_obstacle) or differs, and '
  'lock_not_available.';
