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
  'Books an adjustment that waits for a second administrator, and returns it. Serves PUT '
  '/adminapi/adjustment/{id}/approve.';

grant execute on function api.approve_adjustment(bigint) to store_admin;

-- Locks: the sum of the administrator, balances of the member.
-- Not idempotent: each call makes an adjustment. Clients send an Idempotency-Key.
create or replace function api.create_adjustment(
  p_uid bigint, p_reason text, p_brokerage numeric default null, p_frozen_points numeric default null,
  p_available_points numeric default null,
  p_kind text default 'correction'
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
  v_adjustment := app.create_adjustment(
    p_uid, p_brokerage, p_frozen_points, p_available_points, p_reason, auth.uid(), null, p_kind
  );
  perform app.record_adjustment_action('create_adjustment', null, v_adjustment);
  return app.adjustment_json(v_adjustment);
end
$$;

comment on function api.create_adjustment is
  'Corrects the balances of a member and returns the adjustment, booked or waiting (app.create_adjustment). Serves '
  'POST /adminapi/adjustment.';

grant execute on function api.create_adjustment(bigint, text, numeric, numeric, numeric, text) to store_admin;

-- Security definer: client roles may not call auth.uid, which says for whom something waits.
create or replace function api.get_adjustments(
  p_uid bigint default null, p_state text default null, p_page integer default 1, p_limit integer default 20,
  p_cursor text default null,
  p_waiting text default null
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
-- A plan for the filters of the call.
set plan_cache_mode = force_custom_plan
as $$
declare
  v_by constant uuid := auth.uid();
  v_uid bigint;
  v_position record;
begin
  perform app.require_admin();
  v_uid := app.current_uid();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  return (
    with matching as not materialized (
      select a.* from app.adjustments as a
      where (p_uid is null or a.uid = p_uid) and (p_state is null or a.state = p_state)
        and (
          p_waiting is null
          or p_waiting = 'adjustment' and a.state = 'waiting' and app.adjustment_waits_for(a, v_by, v_uid)
        )
    )
    select app.log_json(
      jsonb_agg(app.adjustment_json(l) order by l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.id desc), p_limit
    )
    from (
      select m.* from matching as m where m.id < v_position.id order by m.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_adjustments is
  'Returns one page of the adjustments, newest first. p_waiting keeps those of app.adjustment_waits_for. Serves GET '
  '/adminapi/adjustment.';

grant execute on function api.get_adjustments(bigint, text, integer, integer, text, text) to store_admin;

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
  'Refuses an adjustment that waits for a second administrator, and returns it. Serves PUT '
  '/adminapi/adjustment/{id}/refuse.';

grant execute on function api.refuse_adjustment(bigint) to store_admin;
