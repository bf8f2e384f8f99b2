-- What administrators may call about the action log.

-- One branch runs: a condition on the type alone is checked once, before its table is read.
create or replace function app.action_subject_json(p_type text, p_id text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with target as (
    select case when p_id ~ '^[0-9]{1,18}$' then p_id::bigint end as id,
      case when p_id ~ '^[0-9a-f-]{36}$' then p_id::uuid end as auth_id
  ),
  subject as (
    select null as name, null as name_zh, t.id as uid, null::numeric as amount from target as t where p_type = 'member'
    union all
    select o.order_no, null, o.uid, o.pay_price from target as t join app.orders as o on o.id = t.id
    where p_type = 'order'
    union all
    select w.withdrawal_no, null, w.uid, w.amount from target as t join app.withdrawals as w on w.id = t.id
    where p_type = 'withdrawal'
    union all
    select b.batch_no, null, null, b.amount from target as t join app.withdrawal_batches as b on b.id = t.id
    where p_type = 'withdrawal_batch'
    union all
    select null, null, a.uid, null from target as t join app.adjustments as a on a.id = t.id where p_type = 'adjustment'
    union all
    select null, null, r.uid, null from target as t join app.person_requests as r on r.id = t.id
    where p_type = 'person_request'
    union all
    select p.title, null, null, null from target as t join app.products as p on p.id = t.id where p_type = 'product'
    union all
    select a.title, null, null, null from target as t join app.articles as a on a.id = t.id where p_type = 'article'
    union all
    select c.title, null, null, null from target as t join app.product_categories as c on c.id = t.id
    where p_type = 'product_category'
    union all
    select c.title, null, null, null from target as t join app.article_categories as c on c.id = t.id
    where p_type = 'article_category'
    union all
    select j.title, j.title_zh, null, null from app.scheduled_jobs as j where p_type = 'crontab' and j.name = p_id
    union all
    select c.name, c.name_zh, null, null from app.carriers as c where p_type = 'carrier' and c.code = p_id
    union all
    select app.actor_json(t.auth_id) ->> 'nickname', null, null, null from target as t where p_type = 'administrator'
    union all
    select app.key_name_json(t.id) ->> 'name', null, null, null from target as t where p_type = 'machine_key'
    union all
    select app.webhook_name(t.id), null, null, null from target as t where p_type = 'webhook'
  )
  select jsonb_build_object(
    'name', coalesce(s.name, case when p_type not in ('member', 'settings') then p_id end), 'name_zh', s.name_zh, 'uid',
    s.uid,
    'nickname', u.nickname, 'amount', s.amount::text
  )
  from (select) as one left join subject as s on true left join app.users as u on u.uid = s.uid
$$;

comment on function app.action_subject_json is
  'Returns what the target of an action is called now, {name, name_zh, uid, nickname, amount}: number or title, member '
  'and amount. What is unknown is null, the name then the id.';

grant execute on function app.action_subject_json(text, text) to store_admin;

create or replace function api.get_actions(
  p_function text default null, p_target_type text default null, p_target_id text default null,
  p_actor uuid default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- A plan for the filters of the call.
set plan_cache_mode = force_custom_plan
as $$
declare
  v_position record;
  v_dropped timestamptz;
begin
  perform app.require_admin();
  v_dropped := app.reach_actions(p_from);
  v_position := app.list_position(p_page, p_limit, p_cursor);
  return (
    with matching as not materialized (
      select a.* from app.admin_actions as a
      where (p_function is null or a.function = p_function) and (p_target_type is null or a.target_type = p_target_type)
        and (p_target_id is null or a.target_id = p_target_id) and (p_actor is null or a.actor = p_actor)
        and (p_from is null or a.add_time >= p_from) and (p_to is null or a.add_time < p_to)
    )
    select app.log_json(
      jsonb_agg(jsonb_build_object(
        'id', l.id, 'actor', app.actor_json(l.actor), 'machine_key', app.key_name_json(l.machine_key), 'function',
        l.function, 'target_type', l.target_type, 'target_id', l.target_id,
        'subject', app.action_subject_json(l.target_type, l.target_id),
        'from', l.from_value, 'to', l.to_value, 'actor_earned',
        app.actor_earned_json(l.actor, l.target_type, l.target_id),
        'request_id', l.request_id, 'add_time', app.utc(l.add_time)
      ) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), p_limit
    ) || jsonb_build_object('dropped_until', app.utc(nullif(v_dropped, '-infinity')))
    from (
      select m.* from matching as m where (m.add_time, m.id) < (v_position.add_time, v_position.id)
      order by m.add_time desc, m.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_actions is
  'Returns one page of what administrators did, newest first, and dropped_until, before which actions were dropped. '
  'Serves GET /adminapi/action.';

grant execute on function api.get_actions(
  text, text, text, uuid, timestamptz, timestamptz, integer, integer, text
) to store_admin;
