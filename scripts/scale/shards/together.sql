-- What the router reads or does on all shards, and puts together.

-- Each shard returns its first rows in pages of 100, until it has returned as many as the page and all earlier ones
-- have. A cursor names a row by its id, which no other shard has, so all shards continue at it.
create function router.merge_list(p_function text, p_id text, p_claims jsonb, p_args jsonb, p_request_id text)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_page constant bigint := case
    when p_args ->> 'p_cursor' is null then coalesce((p_args ->> 'p_page')::bigint, 1)
    else 1
  end;
  v_limit constant bigint := coalesce((p_args ->> 'p_limit')::bigint, 20);
  v_sort constant text := coalesce(p_args ->> 'p_sort', '-' || p_id);
  v_key constant text := ltrim(v_sort, '-');
  v_sign constant integer := case when v_sort like '-%' then -1 else 1 end;
  v_answer jsonb;
  v_has_cursors boolean;
  v_rows jsonb := '[]';
  v_count bigint := 0;
begin
  if v_page * v_limit > 10000 then
    perform app.fail('invalid_argument', 'page times limit is at most 10000.');
  end if;
  for v_shard in 0..router.shards() - 1 loop
    for v_part in 1..(v_page * v_limit + 99) / 100 loop
      v_answer := router.run_as_caller(
        v_shard, p_claims, p_function,
        p_args
        || jsonb_build_object(
          'p_page', v_part, 'p_limit',
          case when v_limit between 1 and 100 then least(v_page * v_limit, 100) else v_limit end
        ),
        null, p_request_id
      );
      v_rows := v_rows || (v_answer -> 'list');
      exit when jsonb_array_length(v_answer -> 'list') < 100;
    end loop;
    v_count := v_count + (v_answer ->> 'count')::bigint;
  end loop;
  v_has_cursors := v_answer ? 'next_cursor';
  -- Times in rows are rounded, so they are no place in a list that a cursor continues.
  if v_has_cursors and v_key <> p_id then
    perform router.reject('It puts rows of several shards together by their ids only.');
  end if;
  return (
    select jsonb_build_object('count', v_count, 'list', coalesce(jsonb_agg(m.row order by m.place), '[]'))
      || case
        when v_has_cursors then jsonb_build_object(
          'next_cursor',
          max((m.row ->> 'add_time') || '_' || (m.row ->> p_id)) filter (where m.place = v_page * v_limit)
        )
        else '{}'
      end
    from (
      select r.row, row_number() over (order by v_sign * k.key, v_sign * (r.row ->> p_id)::bigint) as place
      from jsonb_array_elements(v_rows) as r (row)
      cross join lateral (
        select case v_key
          when 'add_time' then extract(epoch from (r.row ->> v_key)::timestamptz)
          else (r.row ->> v_key)::numeric
        end as key
      ) as k
    ) as m
    where m.place > (v_page - 1) * v_limit and m.place <= v_page * v_limit
  );
end
$$;
comment on function router.merge_list is
  'Returns a page of a list with the rows of all shards, in the form of an ordinary store. If a shard does not '
  'answer, it fails.';

-- The cursor of a file is the number of the shard and the cursor there.
create function router.chain_file(p_claims jsonb, p_function text, p_args jsonb, p_request_id text)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_parts constant text[] := regexp_match(p_args ->> 'p_cursor', '^([0-9]{1,2}) (.*)$');
  v_shard constant bigint := coalesce(v_parts[1]::bigint, 0);
  v_chunk jsonb;
begin
  if v_shard >= router.shards() or (p_args ->> 'p_cursor' is not null and v_parts is null) then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end if;
  v_chunk := router.run_as_caller(
    v_shard, p_claims, p_function, p_args || jsonb_build_object('p_cursor', nullif(v_parts[2], '')), null, p_request_id
  );
  return v_chunk || jsonb_build_object('next_cursor', case
    when v_chunk ->> 'next_cursor' is not null then v_shard || ' ' || (v_chunk ->> 'next_cursor')
    when v_shard + 1 < router.shards() then v_shard + 1 || ' '
  end);
end
$$;
comment on function router.chain_file is
  'Returns the next chunk of a file, which has the lines of one shard after those of the other. If a shard does not '
  'answer, it fails, and the file is broken off.';

-- A shard that does not answer keeps no other from settling its orders.
create function router.settle_on_each(p_function text, p_args jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_handled bigint;
  v_failure text;
begin
  for v_shard in 0..router.shards() - 1 loop
    begin
      -- A shard without due jobs returns null, which sum ignores.
      select sum(h.handled) into v_handled
      from (
        values (v_handled), ((router.run_as_service(v_shard, p_function, p_args) ->> 'handled')::bigint)
      ) as h (handled);
    exception when connection_failure then
      v_failure := sqlerrm;
    end;
  end loop;
  if v_failure is not null then
    raise connection_failure using message = v_failure;
  end if;
  return jsonb_build_object('handled', v_handled);
end
$$;
comment on function router.settle_on_each is
  'Settles waiting orders, or compares the clocks, on every shard, one after the other, and returns how many jobs '
  'they handled together, or null if none has to be asked again. Each shard commits by itself, which is no harm: an '
  'order is settled once.';

-- At random, so that a shard with many rows leaves a share of the calls to each other one. The rows of a shard that
-- does not answer wait. A lease that the worker does not learn of ends, and the row is due again.
create function router.lease_on_each(p_function text, p_args jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant bigint := coalesce((p_args ->> 'p_limit')::bigint, 10);
  v_shard bigint;
  v_args jsonb;
  v_leased jsonb;
  v_rows jsonb := '[]';
begin
  -- The last place is the home.
  for v_shard in select nullif(p.place, router.shards()) from generate_series(0, router.shards()) as p (place)
    order by random() loop
    exit when jsonb_array_length(v_rows) >= v_limit;
    v_args := p_args || jsonb_build_object('p_limit', v_limit - jsonb_array_length(v_rows));
    begin
      v_leased := case
        when v_shard is null then app.as_service_at_home(p_function, v_args)
        else router.run_as_service(v_shard, p_function, v_args)
      end;
      -- What runs at home leaves its role, which may not ask the shards.
      perform set_config('role', 'none', true);
    exception when connection_failure or too_many_connections then
      continue;
    end;
    v_rows := v_rows || (
      select coalesce(jsonb_agg(r.row || jsonb_build_object('shard', v_shard) order by r.place), '[]')
      from jsonb_array_elements(v_leased) with ordinality as r (row, place)
    );
  end loop;
  return v_rows;
end
$$;
comment on function router.lease_on_each is
  'Takes due rows of the outboxes of all shards and of the home, at most p_limit together, and returns each with its '
  'shard; null is the home. The worker names it in each call for the row (functions/worker/on_shard.ts).';

create function router.worst(p_states text[], p_order text[])
returns text
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return p_order[(select max(array_position(p_order, s.state)) from unnest(p_states) as s (state))];
end
$$;
comment on function router.worst is 'Returns the state that stands last in p_order.';

create function router.merge_health(p_home jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_all jsonb := jsonb_build_array(p_home);
  v_silent jsonb := '[]';
begin
  for v_shard in 0..router.shards() - 1 loop
    begin
      v_all := v_all || router.run_as_caller(v_shard, '{}', 'get_health', '{}', null, null);
    exception when connection_failure or too_many_connections then
      v_silent := v_silent || to_jsonb(v_shard);
    end;
  end loop;
  return p_home || (
    select jsonb_build_object(
      'status', case when v_silent <> '[]' then 'degraded' else router.worst(array_agg(h.status order by h.place), '{ok, degraded}') end,
      'waiting_jobs', sum(h.waiting_jobs), 'dead_jobs', sum(h.dead_jobs), 'due_since', min(h.due_since), 'import_since', min(h.import_since),
      'scheduler', router.worst(array_agg(h.scheduler order by h.place), '{ok, late, not_scheduled, missing}'),
      'late_jobs', (
        select coalesce(jsonb_agg(distinct n.name), '[]') from jsonb_array_elements(v_all) as a (health)
        cross join jsonb_array_elements(a.health -> 'late_jobs') as n (name)
      ),
      'clock', router.worst(array_agg(h.clock order by h.place), '{ok, doubtful, differs}'),
      'guarantees', router.worst(array_agg(h.guarantees order by h.place), '{ok, unchecked, broken}'),
      -- The home has no members and releases nothing.
      'last_release', min(h.last_release) filter (where h.place > 1), 'silent_shards', v_silent
    )
    from (
      select e.place, s.*
      from jsonb_array_elements(v_all) with ordinality as e (health, place)
      cross join lateral jsonb_to_record(e.health) as s (
        status text, waiting_jobs bigint, dead_jobs bigint, due_since text, import_since text, scheduler text,
        clock text, guarantees text, last_release text
      )
    ) as h
  );
end
$$;
comment on function router.merge_health is
  'Adds the health of all shards to that of the home: the worst states, the sums of jobs and the earliest times. '
  'silent_shards has the numbers of those that do not answer.';
