-- Imports as runs: begun, stopped, cleared.

-- Locks: structure (exclusive), then the balances of those who rise, by uid.
-- Idempotent: without an unfinished import it does nothing.
create or replace function app.end_import(p_is_abandoned boolean, p_now timestamptz)
returns setof app.imports
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_import app.imports;
  v_levels app.level_rule[];
  v_uids bigint[];
begin
  perform app.lock_structure();
  update app.imports as i set finished_at = p_now, is_abandoned = p_is_abandoned,
    finished_position = nextval('app.positions')
  where i.finished_at is null
  returning i.* into v_import;
  if not found then
    return;
  end if;
  v_levels := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  -- Counts change only under the structure lock, so those who meet the tasks are the same once they are locked.
  v_uids := array(
    select u.uid
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    where b.umbrella_orders > 0 and app.meets_next_level((
      u.uid, null, u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders, b.umbrella_orders,
      b.direct_members, b.umbrella_members, false,
      u.left_at is not null
    )::app.tree_member, v_levels[u.agent_level + 1])
    order by u.uid
  );
  if cardinality(v_uids) > 0 then
    perform app.lock_balances(v_uids);
    perform app.raise_members((app.decide_levels(
      array(
        select app.new_tree_change('import', n, p_raises => true) from generate_series(1, cardinality(v_uids)) as n
        order by n
      ),
      (app.read_members(v_uids, '{}')).members, v_levels
    )).rises, v_import.finished_position, p_now);
  end if;
  return next v_import;
end
$$;

comment on function app.end_import is
  'Ends the unfinished import and returns it. Whoever meets the tasks of the next level with all imported orders (R8) '
  'rises now, once.';

-- Locks: see app.end_import.
-- Idempotent: without an unfinished import it does nothing.
create or replace function app.abandon_import(p_now timestamptz)
returns setof app.imports
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select i.* from app.end_import(true, p_now) as i
$$;

comment on function app.abandon_import is
  'Ends an import that was stopped, and returns it (app.end_import). What it has written stays and counts; orders that '
  'waited for it are settled.';

-- Locks: structure (exclusive), so that no settlement is under way when the import begins.
-- Idempotent: an unfinished import of the same files is continued.
create or replace function app.begin_import(p_form text, p_source_hash text, p_now timestamptz)
returns app.imports
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_import app.imports;
begin
  perform app.lock_structure();
  insert into app.imports (form, source_hash, started_at) values (p_form, p_source_hash, p_now) on conflict do nothing;
  -- Row order: there is one, by imports_one_is_unfinished.
  select i.* into v_import from app.imports as i where i.finished_at is null;
  if v_import.source_hash <> p_source_hash then
    raise object_not_in_prerequisite_state using
      message = format(
        'the import that began at %s is unfinished, and its files were others', app.utc(v_import.started_at)
      );
  end if;
  return v_import;
end
$$;

comment on function app.begin_import is
  'Opens an import and returns it, or returns the stopped one of the same files. Settlements wait until it has ended.';

create or replace function app.clear_import()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  truncate app.staged_products, app.staged_members, app.staged_openids, app.staged_orders, app.staged_order_lines,
  app.staged_refunds, app.staged_bill;
end
$$;

comment on function app.clear_import is 'Empties the staging tables.';

-- The session of a running import holds the import lock.
-- Locks: the advisory lock import, the staging tables.
-- Idempotent: empty tables stay empty.
create or replace function app.forget_staged_rows()
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if not pg_try_advisory_xact_lock(app.lock_number('import')) then
    return false;
  end if;
  if exists (select from app.staged_products) or exists (select from app.staged_members)
    or exists (select from app.staged_openids)
    or exists (select from app.staged_orders) or exists (select from app.staged_order_lines)
    or exists (select from app.staged_refunds)
    or exists (select from app.staged_bill)
  then
    perform app.clear_import();
    return true;
  end if;
  return false;
end
$$;

comment on function app.forget_staged_rows is
  'Empties the staging tables if a killed import has left rows there, and returns whether it did.';

-- Waits for ten seconds, because the session of a run that was killed ends only after its statement.
create or replace function app.lock_import()
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
  perform pg_advisory_lock(app.lock_number('import'));
  return true;
exception when lock_not_available then
  return false;
end
$$;

comment on function app.lock_import is
  'Takes the import lock for the rest of the session, waiting ten seconds, and returns whether it got it: one import '
  'runs at a time.';
