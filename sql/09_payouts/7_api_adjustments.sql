-- What administrators may call about adjustments.

-- Locks: the adjustment, then the balances of its member.
-- Idempotent: an adjustment that is booked stays as it is.
create or replace function api.approve_adjustment(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.adjustments;
  v_after app.adjustments;
begin
  perform app.require_admin('money');
  v_before := app.lock_adjustment(p_id);
  perform app.reject_own_member(v_before.uid);
  v_after := app.decide_adjustment(p_id, 'booked', auth.uid(), null);
  perform app.record_adjustment_action('approve_adjustment', v_before, v_after);
  return app.adjustment_json(v_after);
end
$$;

comment on function api.approve_adjustment is
  'Books an adjustment that waits for a second administrator, and returns it. Serves PUT /adminapi/adjustment/{id}/approve.';

grant execute on function api.approve_adjustment(bigint) to store_admin;

-- Locks: the sum of the administrator, balances of the member.
-- Not idempotent: each call makes an adjustment. Clients send an Idempotency-Key.
create or replace function api.create_adjustment(
  p_uid bigint, p_reason text, p_brokerage numeric default null, p_frozen_points numeric default null, p_available_points numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
begin
  perform app.require_admin('money');
  perform app.reject_own_member(p_uid);
  v_adjustment := app.create_adjustment(p_uid, p_brokerage, p_frozen_points, p_available_points, p_reason, auth.uid(), null);
  perform app.record_adjustment_action('create_adjustment', null, v_adjustment);
  return app.adjustment_json(v_adjustment);
end
$$;

comment on function api.create_adjustment is
  'Corrects the balances of a member and returns the adjustment: booked within the limits of the settings, otherwise waiting for a '
  'second administrator. Serves POST /adminapi/adjustment.';

grant execute on function api.create_adjustment(bigint, text, numeric, numeric, numeric) to store_admin;

create or replace function api.get_adjustments(
  p_uid bigint default null, p_state text default null, p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  -- Contains only the conditions that are given, so that the planner can use the index of each.
  v_matching constant text := 'from app.adjustments as a where true'
    || case when p_uid is not null then ' and a.uid = $1' else '' end
    || case when p_state = 'waiting' then ' and a.state = ''waiting''' when p_state is not null then ' and a.state = $2' else '' end;
  v_list jsonb;
  v_next text;
  v_count bigint;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  execute format($sql$
    select
      coalesce(jsonb_agg(app.adjustment_json(l) order by l.id desc), '[]'),
      case when count(*) = $5 then (array_agg(app.make_cursor(l.add_time, l.id) order by l.id))[1] end,
      (select count(*) %1$s)
    from (select a.* %1$s and a.id < $3 order by a.id desc offset $4 limit $5) as l
  $sql$, v_matching)
  into v_list, v_next, v_count
  using p_uid, p_state, v_position.id, v_position.skip, p_limit;
  return jsonb_build_object('list', v_list, 'count', v_count, 'next_cursor', v_next);
end
$$;

comment on function api.get_adjustments is
  'Returns one page of the adjustments of balances, newest first, filtered by member and state. Pages are numbered or follow a '
  'cursor. Serves GET /adminapi/adjustment.';

grant execute on function api.get_adjustments(bigint, text, integer, integer, text) to store_admin;

-- Locks: the adjustment.
-- Idempotent: an adjustment that is refused stays as it is.
create or replace function api.refuse_adjustment(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.adjustments;
  v_after app.adjustments;
begin
  perform app.require_admin('money');
  v_before := app.lock_adjustment(p_id);
  perform app.reject_own_member(v_before.uid);
  v_after := app.decide_adjustment(p_id, 'refused', auth.uid(), null);
  perform app.record_adjustment_action('refuse_adjustment', v_before, v_after);
  return app.adjustment_json(v_after);
end
$$;

comment on function api.refuse_adjustment is
  'Refuses an adjustment that waits for a second administrator, and returns it. Serves PUT /adminapi/adjustment/{id}/refuse.';

grant execute on function api.refuse_adjustment(bigint) to store_admin;
