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
  'Corrects the balances of a member and returns the adjustment: booked within the limits of the settings, otherwise '
  'waiting for a second administrator, as always for a member who has left, whom p_kind pays out or takes as given '
  'up. Serves POST /adminapi/adjustment.';

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
as $$
declare
  v_position record;
  v_result jsonb;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  -- A plan for the filters of the call.
  execute $sql$
    with matching as not materialized (
      select a.* from app.adjustments as a
      where ($1 is null or a.uid = $1) and ($2 is null or a.state = $2)
        and ($6 is null or $6 = 'adjustment' and a.state = 'waiting' and app.adjustment_waits_for(a, $7, $8))
    )
    select app.log_json(
      jsonb_agg(app.adjustment_json(l) order by l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.id desc), $5
    )
    from (select m.* from matching as m where m.id < $3 order by m.id desc offset $4 limit $5) as l
  $sql$
  into v_result
  using p_uid, p_state, v_position.id, v_position.skip, p_limit, p_waiting, auth.uid(), app.current_uid();
  return v_result;
end
$$;

comment on function api.get_adjustments is
  'Returns one page of the adjustments of balances, newest first, filtered by member, state and what waits for the '
  'caller (app.adjustment_waits_for). Pages are numbered or follow a cursor. Serves GET /adminapi/adjustment.';

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
