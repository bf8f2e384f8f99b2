create or replace function app.actor_earned_json(p_actor uuid, p_target_type text, p_target_id text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('commission', sum(b.brokerage_delta)::text, 'points', trim_scale(sum(b.frozen_delta + b.available_delta)))
  from app.users as u
  join app.user_bill as b on b.uid = u.uid
  where p_target_type = 'order' and app.is_earned(b.type) and u.auth_id = p_actor and b.order_id = case when p_target_type = 'order' then p_target_id::bigint end
  having count(*) > 0
  union all
  select '{"commission": null, "points": null}'
  from app.users as u
  where u.auth_id = p_actor and p_target_type = 'order' and app.is_order_archived(case when p_target_type = 'order' then p_target_id::bigint end)
  limit 1
$$;

comment on function app.actor_earned_json is
  'Returns what an order brought the administrator who acted on it, less reversals, as {commission, points}: the earnings of '
  'the administrator''s own member account. Null if there are none or the target is not an order; both are null if the order is archived.';

grant execute on function app.actor_earned_json(uuid, text, text) to store_admin;
