-- What administrators, and machines with an administrator's token, may read of events.

create or replace function api.get_event_feed(p_after text default null, p_limit integer default 100)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
begin
  perform app.require_admin();
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'limit is between 1 and 1000.');
  end if;
  v_position := app.event_position(p_after);
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(app.event_json(e) order by e.era, e.xid, e.id), '[]'),
      'next_cursor', coalesce((array_agg(app.event_cursor(e) order by e.era desc, e.xid desc, e.id desc))[1], p_after)
    )
    from app.events_after(v_position.era, v_position.xid, v_position.id, p_limit) as e
  );
end
$$;

comment on function api.get_event_feed is
  'Returns {list, next_cursor}: the events after a cursor, as app.events_after. An empty list returns the cursor '
  'unchanged. Serves GET /adminapi/events.';

grant execute on function api.get_event_feed(text, integer) to store_admin;

create or replace function api.get_events(
  p_type text default null, p_uid bigint default null, p_order_id bigint default null, p_from timestamptz default null,
  p_to timestamptz default null,
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
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  return (
    with matching as not materialized (
      select e.* from app.events as e
      where (p_type is null or e.type = p_type) and (p_uid is null or e.uid = p_uid)
        and (p_order_id is null or (e.subject = 'order' and e.subject_id = p_order_id))
        and (p_from is null or e.add_time >= p_from) and (p_to is null or e.add_time < p_to)
    )
    select app.log_json(
      jsonb_agg(app.event_json(l) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), p_limit
    )
    from (
      select m.* from matching as m where (m.add_time, m.id) < (v_position.add_time, v_position.id)
      order by m.add_time desc, m.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_events is
  'Returns one page of the events of the last 90 days, newest first. Serves GET /adminapi/event.';

grant execute on function api.get_events(
  text, bigint, bigint, timestamptz, timestamptz, integer, integer, text
) to store_admin;
