-- Counts with the same SQL as app.count_downline.
-- Raises: user_not_found.
create or replace function app.audit_counts(p_uid bigint, p_limit integer default 200)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_counted record;
  v_user app.users;
  v_next smallint;
begin
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  select * into v_counted from app.count_downline(p_uid);
  select min(l.grade) into v_next from app.agent_levels as l where l.is_active and l.grade > v_user.agent_level;
  return jsonb_build_object(
    'uid', p_uid, 'agent_level', v_user.agent_level, 'level_is_held', v_user.is_held, 'next_level', v_next, 'counted', to_jsonb(v_counted),
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'counted', (to_jsonb(v_counted) ->> t.type)::integer,
        'met', (to_jsonb(v_counted) ->> t.type)::integer >= t.target
      ) order by t.type)
      from app.agent_level_tasks as t where t.grade = v_next
    ), '[]'),
    'left_out', coalesce((
      select jsonb_object_agg(r.reason, r.orders)
      from (select d.reason, count(*) as orders from app.downline_orders(p_uid) as d where d.reason is not null group by d.reason) as r
    ), '{}'),
    'orders', coalesce((
      select jsonb_agg(jsonb_build_object(
        'order_id', d.order_id, 'uid', d.uid, 'nickname', (select u.nickname from app.users as u where u.uid = d.uid), 'is_direct', d.is_direct, 'counted', d.reason is null, 'reason', d.reason
      ) order by d.reason is null, d.order_id desc)
      from (select * from app.downline_orders(p_uid) as a order by a.reason is null, a.order_id desc limit p_limit) as d
    ), '[]')
  );
end
$$;

comment on function app.audit_counts is
  'Returns a member''s task counts: whether the level is held, the tasks of the next grade with what counts for them, and up '
  'to p_limit orders of the downline, each with the reason if it does not count. Orders that do not count come first, newest '
  'first.';
