-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_withdrawals(
  p_state text default null, p_method text default null, p_uid bigint default null, p_batch_id bigint default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  -- Contains only the conditions that are given, so that the planner can use the index of each.
  v_matching constant text := 'from app.withdrawals as w where true'
    || case when p_method is not null then ' and w.method = $2' else '' end
    || case when p_uid is not null then ' and w.uid = $3' else '' end
    || case when p_batch_id is not null then ' and w.batch_id = $4' else '' end
    || case when p_from is not null then ' and w.add_time >= $5' else '' end
    || case when p_to is not null then ' and w.add_time < $6' else '' end;
  v_list jsonb;
  v_next text;
  v_states jsonb;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  execute format($sql$
    select
      coalesce(jsonb_agg(app.admin_withdrawal_json(l) order by l.id desc), '[]'),
      case when count(*) = $9 then (array_agg(app.make_cursor(l.add_time, l.id) order by l.id))[1] end
    from (
      select w.* %s %s and w.id < $7 order by w.id desc offset $8 limit $9
    ) as l
  $sql$, v_matching, case when p_state is not null then 'and w.state = $1' end)
  into v_list, v_next
  using p_state, p_method, p_uid, p_batch_id, p_from, p_to, v_position.id, v_position.skip, p_limit;
  execute format($sql$
    select jsonb_object_agg(s.name, coalesce(c.count, 0))
    from unnest('{requested, approved, paying, paid, refused, failed}'::text[]) as s (name)
    left join (select w.state, count(*) %s group by w.state) as c on c.state = s.name
  $sql$, v_matching)
  into v_states
  using p_state, p_method, p_uid, p_batch_id, p_from, p_to;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next, 'states', v_states,
    'count', (select coalesce(sum(s.value::bigint), 0) from jsonb_each(v_states) as s where p_state is null or s.key = p_state)
  );
end
$$;

comment on function api.admin_get_withdrawals is
  'Returns one page of all withdrawals, newest first, filtered by state, method, member, batch and time, and how many are in each state. Pages '
  'are numbered or follow a cursor. Account numbers are masked. Serves GET /adminapi/withdrawal.';

grant execute on function api.admin_get_withdrawals(text, text, bigint, bigint, timestamptz, timestamptz, integer, integer, text) to store_admin;
