-- Fills a copy of the engine: settings, members with the level and the task counts they had at the beginning of the
-- period, no balances and no open cycles, and every order with queue goods paid before its end, as it is left today.
-- Callers: simulate. Reads the store's tables in one snapshot, takes none of its row locks.
create or replace function app.copy_members(p_schema text, p_from timestamptz, p_to timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  foreach v_table in array array['settings', 'agent_levels', 'agent_level_tasks', 'level_versions', 'commission_plans'] loop
    execute format('insert into %I.%I overriding system value select * from app.%I', p_schema, v_table, v_table);
    if v_table in ('level_versions', 'commission_plans') then
      execute format('select setval(pg_get_serial_sequence(%L, %L), (select max(version) from %I.%I))',
        p_schema || '.' || v_table, 'version', p_schema, v_table);
    end if;
  end loop;
  execute format($sql$
    insert into %1$I.users overriding system value
    select (jsonb_populate_record(u, jsonb_build_object('agent_level', coalesce((
      select c.from_level from app.level_changes as c where c.uid = u.uid and c.add_time >= $1 order by c.id limit 1
    ), u.agent_level)))).*
    from app.users as u
  $sql$, p_schema) using p_from;
  execute format($sql$
    insert into %1$I.user_balances (uid, own_orders, direct_orders, umbrella_orders, direct_members, umbrella_members)
    select u.uid, coalesce(c.own_orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0),
      coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0)
    from app.users as u left join app.recount_counters($1) as c on c.uid = u.uid
  $sql$, p_schema) using p_from;
  execute format($sql$
    insert into %1$I.orders overriding system value
    select o.* from app.orders as o where o.has_queue_goods and o.paid_at < $1
  $sql$, p_schema) using p_to;
  execute format('analyze %1$I.users; analyze %1$I.user_balances; analyze %1$I.orders', p_schema);
end
$$;
