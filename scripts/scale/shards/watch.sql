-- Watches the shards, so that one which hangs keeps no connection of the home. PL/Proxy has no time limit for a server
-- that accepts connections and sends nothing: it looks at its own limit only when something arrives, and a cancelled
-- call waits for that server as well (decision 0138). Only the end of the session ends such a call.
create schema router;
create extension dblink schema router;
grant usage on schema router to store_api, postgres;

create unlogged table router.shard_states (
  shard bigint primary key, silent_since timestamptz, checked_at timestamptz not null
);
comment on table router.shard_states is
  'Since when each shard has not answered the watch; null if it answers. Empty after a crash, until the next check.';
grant select on router.shard_states to store_api, postgres;

create function router.is_silent(p_shard bigint)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from router.shard_states as s
    where s.shard = p_shard and s.silent_since is not null and s.checked_at > clock_timestamp() - interval '2 minutes'
  );
end
$$;
comment on function router.is_silent is
  'Returns whether the watch gets no answer from a shard. What it found more than two minutes ago, before it stopped, '
  'does not count.';

create function router.places() returns bigint language sql immutable parallel safe return 25;
comment on function router.places is
  'Returns how many calls may be on one shard at a time: half of the connections that role store_api may have. A slow '
  'shard leaves the others to other shards.';

-- Locks: a place of the shard, until the end of the transaction, which it does not wait for. The watch finds by it who
-- waits for the shard.
create function router.enter(p_shard bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_places constant bigint := router.places();
begin
  if router.is_silent(p_shard) then
    raise connection_failure using message = format('shard %s does not answer', p_shard);
  end if;
  for v_try in 1..v_places loop
    -- Starts at another place in each session, so that the first one is free as a rule.
    if pg_try_advisory_xact_lock(
      'router'::regnamespace::oid::integer, (p_shard * v_places + (pg_backend_pid() + v_try) % v_places)::integer
    ) then
      return;
    end if;
  end loop;
  raise too_many_connections using message = format('%s calls wait for shard %s', v_places, p_shard);
end
$$;
comment on function router.enter is
  'Admits a call to a shard: as many at a time as it has places, and none while the shard is silent.';

create function router.address_of(p_shard bigint)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select format('%s user=%s password=%L connect_timeout=2', a.option_value, m.usename, p.option_value)
    from pg_foreign_server as s
    join pg_user_mappings as m on m.srvid = s.oid and m.usename = 'store_api'
    cross join lateral pg_options_to_table(s.srvoptions) as a
    cross join lateral pg_options_to_table(m.umoptions) as p
    where s.srvname = 'shards' and a.option_name = 'p' || p_shard and p.option_name = 'password'
  );
end
$$;
comment on function router.address_of is
  'Returns how to connect to a shard as the functions do. For the superuser, who sees the password.';

-- Through dblink, whose calls can be looked after. The connection is kept for the next time.
create function router.answers(p_shard bigint)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name constant text := 'shard_' || p_shard;
  v_until timestamptz;
begin
  if not v_name = any (coalesce(router.dblink_get_connections(), '{}')) then
    perform router.dblink_connect(v_name, router.address_of(p_shard));
  end if;
  v_until := clock_timestamp() + interval '3 seconds';
  perform router.dblink_send_query(v_name, 'select 1');
  while router.dblink_is_busy(v_name) = 1 loop
    if clock_timestamp() > v_until then
      raise connection_failure;
    end if;
    perform pg_sleep(0.01);
  end loop;
  -- The second result, which is empty, says that the connection is free again.
  perform r.one from router.dblink_get_result(v_name) as r (one integer);
  perform r.one from router.dblink_get_result(v_name) as r (one integer);
  return true;
exception when others then
  if v_name = any (router.dblink_get_connections()) then
    perform router.dblink_disconnect(v_name);
  end if;
  return false;
end
$$;
comment on function router.answers is 'Returns whether a shard answers within three seconds.';

-- Commits what it found before it ends the sessions, so that none of them calls the shard again.
create procedure router.watch(p_duration interval)
language plpgsql
as $$
declare
  v_end constant timestamptz := clock_timestamp() + p_duration;
  v_answers boolean;
begin
  while clock_timestamp() < v_end loop
    for v_shard in 0..router.shards() - 1 loop
      v_answers := router.answers(v_shard);
      insert into router.shard_states as s (shard, silent_since, checked_at)
      values (v_shard, case when not v_answers then clock_timestamp() end, clock_timestamp())
      on conflict (shard) do update
      set silent_since = case when not v_answers then coalesce(s.silent_since, excluded.silent_since) end,
        checked_at = excluded.checked_at;
      commit;
      if not v_answers then
        perform pg_terminate_backend(l.pid)
        from pg_locks as l
        where l.locktype = 'advisory'
          and l.database = (select d.oid from pg_database as d where d.datname = current_database())
          and l.classid = 'router'::regnamespace::oid and l.objid::bigint / router.places() = v_shard and l.granted
          and l.pid <> pg_backend_pid();
      end if;
    end loop;
    commit;
    perform pg_sleep(0.5);
  end loop;
end
$$;
comment on procedure router.watch is
  'Asks each shard every half second whether it answers, records it, and ends the sessions that wait for one which '
  'does not. It holds for a pg_cron job, which starts again at once.';
revoke execute on procedure router.watch(interval) from public;
