-- Archived months on another server: what that server needs, and moving months there and back (postgres_fdw).

create or replace function app.sorted_words()
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(w, ' ' order by w) from unnest('{ab, a_b, a-b, aB, B, b, z, 10, 9, _}'::text[]) as w
$$;

comment on function app.sorted_words is 'Returns words as this database sorts them. The other server must sort them alike, because it sorts rows for this one.';

-- The functions are those of this database in another schema, so that both compute alike.
create or replace function app.other_server_script()
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $script$
  select $sql$create schema if not exists archive;
$sql$ || (
    select string_agg(replace(pg_get_functiondef(p.oid), 'FUNCTION app.', 'FUNCTION archive.') || ';', E'\n' order by p.proname)
    from pg_proc as p where p.oid in ('app.digest_of_rows(text)'::regprocedure, 'app.sorted_words()'::regprocedure)
  ) || $sql$
create table if not exists archive.months (name text primary key, columns text not null, indexes text[]);
create or replace function archive.keep_table() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_index text;
begin
  if tg_op = 'DELETE' then
    execute format('drop table archive.%I', old.name);
  elsif tg_op = 'INSERT' then
    execute format('create table archive.%I (%s)', new.name, new.columns);
  else
    foreach v_index in array new.indexes loop
      execute format('create index on archive.%I %s', new.name, v_index);
    end loop;
    execute format('analyze archive.%I', new.name);
  end if;
  return coalesce(new, old);
end
$$;
create or replace trigger it_has_a_table before insert or update or delete on archive.months for each row execute function archive.keep_table();
create or replace view archive.digests as
  select m.name, d.row_count, d.digest from archive.months as m cross join lateral archive.digest_of_rows(format('select * from archive.%I', m.name)) as d;
create or replace view archive.server as
  select current_setting('server_version') as version, archive.sorted_words() as sorted_words, hashtextextended('archive', 0) as hash;
create or replace view archive.unlimited as select set_config('statement_timeout', '0', true) as statement_timeout;
$sql$
$script$;

comment on function app.other_server_script is
  'Returns the statements that prepare a database of another server for archived months: a table that creates and drops their tables, views of their digests and of what must be alike, and one '
  'that lifts the time limit of a transaction. They can be repeated.';

-- Every read connects anew, so that connecting, which Postgres 15 limits (decision 0147), shows whether the server answers. A statement there is limited, too, but not the time that this
-- server computes between two of them: that one finds out by itself when this one is gone.
create or replace function app.set_other_server(p_server jsonb, p_user text, p_password text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_options jsonb := jsonb_build_object(
    'connect_timeout', '2', 'keep_connections', 'off', 'options', '-c statement_timeout=5s -c idle_in_transaction_session_timeout=0 -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3',
    'tcp_user_timeout', '5000', 'keepalives_idle', '5', 'keepalives_interval', '2', 'keepalives_count', '3', 'fetch_size', '1000', 'batch_size', '1000'
  ) || p_server;
  v_old text[] := (select coalesce(s.srvoptions, '{}') from pg_foreign_server as s where s.srvname = 'archive_server');
  v_missing text;
begin
  if v_old is null then
    create extension if not exists postgres_fdw with schema extensions;
    create server archive_server foreign data wrapper postgres_fdw;
    create foreign table archive.other_months (name text not null, columns text not null, indexes text[]) server archive_server options (schema_name 'archive', table_name 'months');
    create foreign table archive.other_digests (name text, row_count bigint, digest numeric) server archive_server options (schema_name 'archive', table_name 'digests');
    create foreign table archive.other_server (version text, sorted_words text, hash bigint) server archive_server options (schema_name 'archive', table_name 'server');
    create foreign table archive.other_unlimited (statement_timeout text) server archive_server options (schema_name 'archive', table_name 'unlimited');
  end if;
  execute (
    select 'alter server archive_server options (' || string_agg(concat_ws(' ', o.verb, quote_ident(o.name), quote_literal(o.value)), ', ' order by o.name) || ')'
    from (
      select case when e.value is null then 'drop' when d.name is null then 'add' else 'set' end as verb, coalesce(e.key, d.name) as name, e.value
      from jsonb_each_text(v_options) as e full join (select split_part(u.option, '=', 1) as name from unnest(v_old) as u (option)) as d on d.name = e.key
    ) as o
  );
  drop user mapping if exists for public server archive_server;
  execute format('create user mapping for public server archive_server options (user %L, password %L)', p_user, p_password);
  perform app.require_other_server();
  execute format($sql$
    select min(p.name)
    from app.archived_months as a cross join lateral app.name_of_part(a.table_name, a.month) as p (name)
    where a.moved_at is not null and p.name not in (select m.name from %s as m)
  $sql$, app.other_table('other_months')) into v_missing;
  if v_missing is not null then
    perform app.fail('invalid_argument', format('The other server does not have %s, which was moved. Copy the database of the former one first.', v_missing));
  end if;
end
$$;

comment on function app.set_other_server is
  'Names the server for archived months: p_server has options of libpq, at least host, port and dbname, and may change those that limit how long a read waits; p_user owns schema archive there. '
  'Raises invalid_argument if that server sorts text or computes digests in another way, or does not have a month that was moved.';

-- The foreign tables exist once a server is named, so the statements that use them are dynamic.
create or replace function app.other_table(p_name text)
returns regclass
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass := to_regclass(format('archive.%I', p_name));
begin
  if v_table is null then
    perform app.fail('invalid_argument', 'No other server for archived months is named.');
  end if;
  return v_table;
end
$$;

comment on function app.other_table is 'Returns a foreign table of the other server by its name. Raises invalid_argument if no server is named.';

create or replace function app.require_other_server()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_version text;
  v_words text;
  v_hash bigint;
begin
  execute format('select o.version, o.sorted_words, o.hash from %s as o', app.other_table('other_server')) into v_version, v_words, v_hash;
  if (v_words, v_hash) is distinct from (app.sorted_words(), hashtextextended('archive', 0)) then
    perform app.fail('invalid_argument', format('The other server, Postgres %s, sorts text or computes digests in another way.', v_version));
  end if;
end
$$;

comment on function app.require_other_server is
  'Raises invalid_argument if no other server is named, or if it sorts text or computes digests in another way than this one, as another version may.';

-- Connecting is limited to two seconds, and the read to five (app.set_other_server). From Postgres 16 on, only the statement_timeout of the caller limits how long
-- a server may take a connection and not answer: the state is returned then, too.
create or replace function app.other_server_state()
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('archive.other_server') is null then
    return 'off';
  end if;
  perform app.require_other_server();
  return 'ok';
exception when others or query_canceled then
  return 'unreachable';
end
$$;

comment on function app.other_server_state is
  'Asks the other server and returns its state: off (none is named), ok, or unreachable: it does not answer, or not as app.require_other_server needs it. It says nothing about where that server is.';

-- By day, so that a long copy shows how far it is.
create or replace function app.copy_rows(p_from regclass, p_to regclass, p_table text, p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
declare
  v_key text := (app.part_bounds(p_table, p_month)).key;
  v_day date;
  v_rows bigint;
begin
  for v_day in select g::date from generate_series(p_month::timestamp, p_month + interval '1 month' - interval '1 day', interval '1 day') as g order by g loop
    execute format('insert into %1$s select t.* from %2$s as t where t.%3$I >= %4$L and t.%3$I < %5$L', p_to, p_from, v_key, v_day, v_day + 1);
    get diagnostics v_rows = row_count;
    raise notice '% %: % rows are copied', p_table, v_day, v_rows;
  end loop;
end
$$;

comment on function app.copy_rows is 'Copies the rows of a month from one table to another, with a notice after each day.';

create or replace function app.lift_other_limit()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('select u.statement_timeout from %s as u', app.other_table('other_unlimited'));
end
$$;

comment on function app.lift_other_limit is 'Lets the statements on the other server take as long as they need, until the end of the transaction.';

create or replace function app.other_digest(p_archived app.archived_months, out row_count bigint, out digest numeric)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lift_other_limit();
  execute format('select d.row_count, d.digest from %s as d where d.name = $1', app.other_table('other_digests')) into row_count, digest
  using app.name_of_part(p_archived.table_name, p_archived.month);
end
$$;

comment on function app.other_digest is 'Returns the number of rows and the digest of a month that the other server has, as it computes them; null if it has none.';

-- All that is done there is one transaction of the other server, which is committed before that of this one: an attempt that is cut leaves a whole copy or none.
-- Locks: app.archived_months.
-- Idempotent: a whole copy is left as it is. Other rows there may be the only ones of another store.
create or replace function app.copy_month(p_table text, p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_name text := app.name_of_part(p_table, p_month);
  v_moved text := app.name_of_part(p_table, p_month, 'moved');
  v_columns text;
  v_digest record;
begin
  if v_archived.moved_at is not null then
    return false;
  elsif p_table = 'admin_actions' then
    perform app.fail('invalid_argument', 'Months of the action log are not moved.');
  elsif v_part is null then
    perform app.fail('invalid_argument', format('There is no table archive.%s. Restore its dump first.', v_name));
  end if;
  perform app.require_other_server();
  v_digest := app.other_digest(v_archived);
  if (v_digest.row_count, v_digest.digest) <> (v_archived.row_count, v_archived.digest) then
    perform app.fail('invalid_argument', format(
      'The other server has a table %s with other rows. If no store reads them, delete the row %s of archive.months there.', v_name, v_name
    ));
  end if;
  v_columns := (
    select string_agg(format('%I %s %s', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end), ', ' order by a.attnum)
    from pg_attribute as a where a.attrelid = v_part and a.attnum > 0 and not a.attisdropped
  );
  execute format('create foreign table if not exists archive.%I (%s) server archive_server options (schema_name ''archive'', table_name %L)', v_moved, v_columns, v_name);
  if v_digest.row_count is not null then
    return true;
  end if;
  execute format('insert into %s (name, columns) values ($1, $2)', app.other_table('other_months')) using v_name, v_columns;
  perform app.copy_rows(v_part, format('archive.%I', v_moved)::regclass, p_table, p_month);
  -- The same as here. Nothing there needs them to be unique.
  execute format('update %s as m set indexes = $2 where m.name = $1', app.other_table('other_months')) using v_name, array(
    select substring(pg_get_indexdef(i.indexrelid) from ' (USING .*)$') from pg_index as i where i.indrelid = v_part order by i.indexrelid
  );
  return true;
end
$$;

comment on function app.copy_month is
  'Copies an archived month of the bill or the release log to the other server, with its indexes. Returns false if it was moved before. Its rows are still read here. Raises invalid_argument if '
  'that server has other rows by the same name.';

-- The other server computes the digest of what it has committed. Only then is the table here dropped, with the swap, which waits as the detaching of a month does.
-- Locks: app.archived_months; the archive.
-- Idempotent: a month that was moved is left as it is.
create or replace function app.use_copy(p_table text, p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_digest record;
begin
  if v_archived.moved_at is not null then
    return;
  end if;
  v_digest := app.other_digest(v_archived);
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
  update app.archived_months as a set moved_at = clock_timestamp() where a.table_name = p_table and a.month = p_month;
  perform app.record_action('move_month', 'month', to_char(p_month, 'YYYY-MM'), null, jsonb_build_object('table', p_table, 'rows', v_digest.row_count));
  perform app.swap_part(p_table, p_month, app.name_of_part(p_table, p_month, 'moved'));
end
$$;

comment on function app.use_copy is 'Verifies the copy of a month on the other server, reads the month from there from now on, and drops its table here.';

-- A lock that is not free within 0.1 seconds ends the attempt, as in app.archive_month.
-- Locks: the archive.
create or replace function app.swap_part(p_table text, p_month date, p_new text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_read regclass := app.archive_part(p_table, p_month);
  v_old regclass := coalesce(v_read, app.month_part(p_table, p_month, 'archive'));
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  for v_try in 1..40 loop
    begin
      if app.has_long_reader(v_old) then
        raise lock_not_available using message = format('another transaction is reading the month %s of archive.%I', to_char(p_month, 'YYYY-MM'), p_table);
      end if;
      if v_read is not null then
        execute format('alter table archive.%I detach partition %s', p_table, v_read);
      end if;
      execute format('alter table archive.%I attach partition archive.%I for values from (%L) to (%L)', p_table, p_new, v_bounds.lower, v_bounds.upper);
      execute format('drop %s %s', case when exists (select from pg_foreign_table as f where f.ftrelid = v_old) then 'foreign table' else 'table' end, v_old);
      return;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
end
$$;

comment on function app.swap_part is 'Reads a month of the archive from another table from now on, which has its rows, and drops the former one.';

-- Interrupted, it is called again: each month is read from one place at every moment.
create or replace procedure app.move_months(p_table text, p_until text)
language plpgsql
as $$
declare
  v_last pg_catalog.date := app.month_start(p_until);
  v_month pg_catalog.date;
begin
  perform app.require_monthly_table(p_table);
  loop
    select pg_catalog.min(a.month) into v_month
    from app.archived_months as a
    where a.table_name = p_table and a.month <= v_last and a.moved_at is null and app.month_part(p_table, a.month, 'archive') is not null;
    exit when v_month is null;
    perform app.copy_month(p_table, v_month);
    commit;
    perform app.use_copy(p_table, v_month);
    commit;
    raise notice '% % is on the other server', p_table, pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
end
$$;

comment on procedure app.move_months is
  'Moves the archived months of the bill or the release log up to a month (YYYY-MM) to the other server, the oldest first. Each is copied, verified there by its digest, read from there, and then '
  'dropped here.';

-- Locks: app.archived_months.
-- Idempotent: a table that is here is verified again.
create or replace function app.copy_month_back(p_table text, p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_digest record;
begin
  if v_part is null then
    perform app.create_month_table(p_table, p_month, 'archive', app.name_of_part(p_table, p_month));
    v_part := app.month_part(p_table, p_month, 'archive');
    perform app.lift_other_limit();
    perform app.copy_rows(app.archive_part(p_table, p_month), v_part, p_table, p_month);
    if p_table = 'user_bill' then
      perform app.forbid_late_rows_of(v_part, p_month);
    end if;
    execute format('create trigger archived_rows_are_never_changed before update or delete on %s for each row execute function app.reject_change()', v_part);
  end if;
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
end
$$;

comment on function app.copy_month_back is 'Copies a month from the other server, if it has no table here, and verifies it. Its rows are still read there.';

-- Locks: app.archived_months; the archive.
-- Idempotent: a month that is read here is left as it is.
create or replace function app.use_copy_here(p_table text, p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
begin
  if v_archived.moved_at is null then
    return;
  end if;
  update app.archived_months as a set moved_at = null where a.table_name = p_table and a.month = p_month;
  perform app.record_action('bring_back_month', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('table', p_table, 'rows', v_archived.row_count), null);
  perform app.swap_part(p_table, p_month, app.name_of_part(p_table, p_month));
end
$$;

comment on function app.use_copy_here is 'Reads a month from its table here from now on, and no longer from the other server.';

-- Idempotent: without a copy, nothing happens.
create or replace function app.forget_copy(p_table text, p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('delete from %s as m where m.name = $1', app.other_table('other_months')) using app.name_of_part(p_table, p_month);
end
$$;

comment on function app.forget_copy is 'Drops the copy of a month on the other server.';

-- Interrupted, it is called again: each month is read from one place at every moment. What is left on the other server then, the next move takes up.
create or replace procedure app.bring_back_months(p_table text, p_from text)
language plpgsql
as $$
declare
  v_first pg_catalog.date := app.month_start(p_from);
  v_month pg_catalog.date;
begin
  perform app.require_monthly_table(p_table);
  loop
    select pg_catalog.max(a.month) into v_month from app.archived_months as a where a.table_name = p_table and a.month >= v_first and a.moved_at is not null;
    exit when v_month is null;
    perform app.copy_month_back(p_table, v_month);
    commit;
    perform app.use_copy_here(p_table, v_month);
    commit;
    perform app.forget_copy(p_table, v_month);
    commit;
    raise notice '% % is here again', p_table, pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
end
$$;

comment on procedure app.bring_back_months is
  'Brings the months of the bill or the release log from a month (YYYY-MM) on back from the other server, the last one first. Each is copied, verified here, read here, and then dropped there.';

create or replace function app.check_archived_months()
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_archived app.archived_months;
  v_digest record;
begin
  for v_archived in select a.* from app.archived_months as a order by a.table_name, a.month loop
    check_name := 'archived_month_is_as_archived';
    subject := v_archived.table_name || to_char(v_archived.month, ' YYYY-MM');
    expected := format('%s rows with digest %s', v_archived.row_count, v_archived.digest);
    begin
      if v_archived.moved_at is not null then
        v_digest := app.other_digest(v_archived);
      else
        continue when app.month_part(v_archived.table_name, v_archived.month, 'archive') is null;
        v_digest := app.digest_of_rows(format('select * from %s', app.month_part(v_archived.table_name, v_archived.month, 'archive')));
      end if;
      actual := format('%s rows with digest %s', v_digest.row_count, v_digest.digest);
    exception when others then
      -- The other server is away, too slow or has lost the month. What it says is for operators.
      actual := format('not read: %s', sqlerrm);
    end;
    if actual <> expected then
      return next;
    end if;
  end loop;
end
$$;

comment on function app.check_archived_months is
  'Returns a finding for each archived month whose rows, here or on the other server, are not what was archived, or that the other server does not answer for. Months '
  'whose table was dropped are left out.';
