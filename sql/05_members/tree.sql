-- The tree of members: locks of its structure and of balances, the members above, lookups.

-- One probe of a unique index that has at most one row. PL/pgSQL, so that the session caches the query plan.
-- Precondition: a caller that decides by the result owns the structure lock, so that no import begins meanwhile.
create or replace function app.is_importing()
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from app.imports as i where i.finished_at is null);
end
$$;

comment on function app.is_importing is 'Returns whether an import is unfinished. Settlements wait for it (R4).';

-- Takes no locks. Precondition for a stable result: the caller has locked the structure and, for the grades, the
-- members' balances.
-- PL/pgSQL, so that the session caches the query plan: a function in plain SQL is planned again by every statement that
-- calls it. Functions with an array or a series as parameter also `set plan_cache_mode = force_generic_plan`: the
-- generic query plan assumes ten elements, which looks more expensive than a custom plan for a short array, so Postgres
-- would plan again for every call.
create or replace function app.get_upline(p_uid bigint)
returns table (depth integer, uid bigint, agent_level smallint)
language plpgsql
stable
rows 20
set search_path = pg_catalog, pg_temp
-- With few members, Postgres would prefer to scan all of them at every step.
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return query
    with recursive upline as (
      select 1 as depth, r.uid, r.agent_level, r.spread_uid
      from app.users as u join app.users as r on r.uid = u.spread_uid
      where u.uid = p_uid
      union all
      select p.depth + 1, r.uid, r.agent_level, r.spread_uid
      from upline as p join app.users as r on r.uid = p.spread_uid
    )
    select upline.depth, upline.uid, upline.agent_level from upline;
end
$$;

comment on function app.get_upline is
  'Returns the referral chain above a member with present grades. Depth 1 is the direct referrer.';

-- One query sorts and then locks, because rows locked in any other order deadlock. The advisory lock on the lowest uid
-- is a queue. All orders below one ancestor need the same lowest row. They wait for it once, one after the other.
-- Without the lock, each of them reads every row again that another one has changed meanwhile.
-- Locks: the queue of the lowest uid (advisory), the balances by uid.
-- Idempotent: taking a lock again that the transaction holds has no effect.
-- Generic query plan: see get_upline.
create or replace function app.lock_balances(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(app.lock_number('balances'), (min(u.uid) % 2147483647)::integer)
  from unnest(p_uids) as u (uid);
  perform from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update;
end
$$;

comment on function app.lock_balances is
  'Locks the balance rows of members by ascending uid, after the queue of the lowest one (R10; '
  'docs/decisions/0002-one-lock-order.md).';

-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.try_lock_balances(p_uids bigint[])
returns setof bigint
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select b.uid from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update skip locked
$$;

comment on function app.try_lock_balances is
  'Locks the balance rows that no other transaction holds, by ascending uid, and returns their uids. Never waits.';

-- Precondition: the transaction holds no lock that comes later in the lock order
-- (docs/decisions/0002-one-lock-order.md).
create or replace function app.lock_structure()
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select pg_catalog.pg_advisory_xact_lock(app.lock_number('structure'))
$$;

comment on function app.lock_structure is
  'Takes the structure lock exclusively: waits for settlements and blocks new ones until the end of the transaction. '
  'For changes of the referral tree, of levels by hand, of no-assess flags and of level settings.';

-- Precondition: the transaction holds no lock that comes later in the lock order.
-- An advisory lock, because a shared row lock on a root would be written by every order below it.
-- Idempotent: taking a lock again that the transaction holds has no effect.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.lock_structure_shared()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(app.lock_number('structure'));
end
$$;

comment on function app.lock_structure_shared is
  'Takes the structure lock in shared mode: what app.lock_structure is for does not change until the end of the '
  'transaction.';

create or replace function app.require_user(p_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from app.users as u where u.uid = p_uid) then
    perform app.fail('user_not_found');
  end if;
end
$$;

comment on function app.require_user is 'Raises user_not_found unless there is a member with this uid.';

grant execute on function app.require_user(bigint) to store_admin;
