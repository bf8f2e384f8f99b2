-- What clients may call about settlement, receipts, cycles and what a plan pays, referrers, flags and levels.

-- Waits at most 250 ms for a lock, because it holds a slot while it waits.
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Idempotent, also when it runs concurrently: see app.lead_settlement.
create or replace function api.lead_settlement()
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
begin
  return jsonb_build_object('handled', app.lead_settlement((select s.settlement_slots from app.settings as s)));
exception when lock_not_available then
  -- Another transaction holds the structure lock.
  return jsonb_build_object('handled', null);
end
$$;

comment on function api.lead_settlement is
  'Settles one batch of waiting orders, unless leaders hold all slots, and returns how many jobs it handled, or null (app.lead_settlement). After a payment, the '
  'edge functions repeat it in the background until it returns null; pg_cron settles what is left.';

grant execute on function api.lead_settlement() to service_role;

create or replace function api.get_jobs(p_state text default null, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with matching as not materialized (select j.* from app.settlement_jobs as j where p_state is null or j.state = p_state)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'order_id', l.order_id, 'state', l.state, 'attempts', l.attempts, 'run_after', app.utc(l.run_after),
      'last_error', l.last_error, 'created_at', app.utc(l.created_at)
    ) order by l.order_id), (select count(*) from matching))
    from (select m.* from matching as m order by m.order_id offset app.check_page(p_page, p_limit) limit p_limit) as l
  );
end
$$;

comment on function api.get_jobs is
  'Returns one page of the settlement jobs, waiting and dead, by order id. Serves GET /adminapi/hjf/jobs.';

grant execute on function api.get_jobs(text, integer, integer) to store_admin;

-- Locks: the order, then its job.
-- Idempotent: a job that is due stays due.
create or replace function api.retry_job(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
begin
  perform app.require_admin('money');
  perform app.reject_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  select jsonb_build_object('state', j.state, 'attempts', j.attempts) into v_before
  from app.settlement_jobs as j where j.order_id = p_order_id for update;
  update app.settlement_jobs
  set state = 'waiting', attempts = 0, last_error = null, run_after = clock_timestamp()
  where order_id = p_order_id;
  if not found then
    perform app.fail('job_not_found', 'This order has no settlement job: it is settled, or has nothing to settle.');
  end if;
  perform app.record_action('retry_job', 'order', p_order_id::text, v_before, jsonb_build_object('state', 'waiting', 'attempts', 0));
  return jsonb_build_object('order_id', p_order_id, 'state', 'waiting');
end
$$;

comment on function api.retry_job is
  'Makes a waiting or dead settlement job due now and resets its attempts. Serves POST /adminapi/hjf/jobs/{id}/retry.';

grant execute on function api.retry_job(bigint) to store_admin;

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: a received order stays as it is.
create or replace function api.confirm_receipt(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.confirm_receipt(p_order_id, null);
  return app.order_json(v_order);
end
$$;

comment on function api.confirm_receipt is
  'Confirms that the caller has received an order and returns it. With the timing confirm, this settles the order in the same '
  'transaction (R2, R3). Serves PUT /api/order/{id}/receive.';

grant execute on function api.confirm_receipt(bigint) to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level security,
-- every table would look up the caller again (decision 0024).
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function api.get_brokerage_progress()
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return app.brokerage_progress(v_uid, clock_timestamp());
end
$$;

comment on function api.get_brokerage_progress is
  'Returns the caller''s commission cycle. Serves GET /api/hjf/brokerage/progress.';

grant execute on function api.get_brokerage_progress() to authenticated, store_admin;

create or replace function api.get_places(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return (
    with matching as not materialized (
      select t.* from app.taken_places as t where t.earner_uid = p_uid and t.place_freed_at is null
    )
    select app.list_json(jsonb_agg(jsonb_build_object(
      'cycle_no', l.cycle_no, 'place', l.place, 'cycle_plan_version', l.cycle_plan_version, 'order_id', l.order_id,
      'uid', s.uid, 'nickname', (select u.nickname from app.users as u where u.uid = s.uid), 'base', s.base::text, 'ratio', trim_scale(s.rate), 'commission', coalesce(c.amount_left, s.commission)::text,
      'commission_at_settlement', s.commission::text, 'commission_points', trim_scale(coalesce(b.points, s.commission_points)),
      'commission_points_at_settlement', trim_scale(s.commission_points), 'settled_at', app.utc(s.settled_at)
    ) order by l.cycle_no desc, l.place desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.cycle_no desc, m.place desc offset v_skip limit p_limit) as l
    left join app.settlements as s on s.order_id = l.order_id
    left join app.commission_maturities as c on c.order_id = l.order_id
    left join lateral (
      select sum(r.frozen_delta + r.available_delta) as points
      -- Of the table: only releases can stand elsewhere.
      from app.user_bill as r where r.order_id = l.order_id and r.uid = p_uid and r.source = 'cycle' and r.brokerage_delta = 0
    ) as b on true
  );
end
$$;

comment on function api.get_places is
  'Returns one page of the taken places of a member''s commission cycles, latest first, with their commission and its points after refunds and as they were settled. Places that an imported member brought have no '
  'order. Serves GET /adminapi/user/{uid}/place.';

grant execute on function api.get_places(bigint, integer, integer) to store_admin;

-- Security definer: only the owner may execute the checks of a draft, which are those that check it when it is saved.
-- Stable: Postgres itself prevents writes and row locks.
create or replace function api.preview_brokerage_config(p_plan jsonb default null, p_levels jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
begin
  perform app.require_admin();
  v_plan := app.draft_plan(coalesce(p_plan, '{}'), '/plan');
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  return (
    select jsonb_build_object(
      'price', w.price::text, 'ratio', trim_scale(w.ratio), 'commission', w.commission::text, 'payout_share', trim_scale(w.payout_share),
      'commission_points', trim_scale(w.commission_points), 'level_points', trim_scale(w.level_points), 'points', trim_scale(w.points),
      'cycle', w.cycle, 'cycle_share', trim_scale(w.cycle_share), 'reach', app.plan_reach(v_plan, l.levels)
    )
    from (select coalesce(p_levels, app.levels_json()) as levels) as l cross join lateral app.worst_order(v_plan, l.levels) as w
  );
end
$$;

comment on function api.preview_brokerage_config is
  'Returns the most that one unit could pay under a draft plan and draft levels, and how deep they pay, without writing. A null draft stands for the '
  'settings in force. Serves POST /adminapi/hjf/brokerage/config/preview.';

grant execute on function api.preview_brokerage_config(jsonb, jsonb) to store_admin;

-- Locks: structure (exclusive), then balances by uid.
-- Idempotent: binding to the same referrer again changes nothing.
create or replace function api.bind_spread(p_spread_uid bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.bind_spread(v_uid, p_spread_uid, null);
  return jsonb_build_object('uid', v_uid, 'spread_uid', p_spread_uid);
end
$$;

comment on function api.bind_spread is 'Binds the caller to a referrer, once (app.bind_spread). Serves PUT /api/user/spread.';

grant execute on function api.bind_spread(bigint) to authenticated, store_admin;

-- Locks: structure (exclusive), then balances by uid.
-- Idempotent: setting the same value again changes nothing.
create or replace function api.set_no_assess(p_uid bigint, p_no_assess boolean)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was boolean;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.lock_structure();
  v_was := (select u.no_assess from app.users as u where u.uid = p_uid);
  perform app.set_no_assess(p_uid, p_no_assess, auth.uid(), null);
  perform app.record_action(
    'set_no_assess', 'member', p_uid::text, jsonb_build_object('no_assess', v_was), jsonb_build_object('no_assess', p_no_assess)
  );
  return jsonb_build_object('uid', p_uid, 'no_assess', p_no_assess);
end
$$;

comment on function api.set_no_assess is
  'Sets whether a member''s orders count for the tasks of their upline (R9). Serves PUT /adminapi/hjf/member/{uid}/no_assess.';

grant execute on function api.set_no_assess(bigint, boolean) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
create or replace function api.preview_spread(p_uid bigint, p_spread_uid bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('members');
  perform app.check_new_spread(p_uid, p_spread_uid);
  return app.spread_json(p_uid, p_spread_uid);
end
$$;

comment on function api.preview_spread is
  'Returns what setting the referrer of a member would change (app.spread_json), or raises why it cannot be set. Serves POST /adminapi/user/{uid}/spread/preview.';

grant execute on function api.preview_spread(bigint, bigint) to store_admin;

-- Locks: structure (exclusive), then the orders of the member that wait.
-- Idempotent: see app.set_spread.
create or replace function api.set_spread(p_uid bigint, p_spread_uid bigint, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_change jsonb;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.reject_own_member(p_spread_uid);
  perform app.lock_structure();
  v_change := app.spread_json(p_uid, p_spread_uid);
  perform app.set_spread(p_uid, p_spread_uid, p_reason, auth.uid(), null);
  perform app.record_action(
    'set_spread', 'member', p_uid::text, jsonb_build_object('spread_uid', v_change #> '{from,uid}'), jsonb_build_object('spread_uid', p_spread_uid)
  );
  return v_change;
end
$$;

comment on function api.set_spread is
  'Sets or corrects the referrer of a member (app.set_spread) and returns what it changed. The reason is in app.spread_changes. Nobody does it for their own member account, nor '
  'makes it a referrer. Serves PUT /adminapi/user/{uid}/spread.';

grant execute on function api.set_spread(bigint, bigint, text) to store_admin;

-- Locks: structure (exclusive), then the member's balances.
-- Idempotent: setting the same grade and hold again changes nothing.
create or replace function api.set_agent_level(p_uid bigint, p_grade smallint, p_held boolean default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was app.users;
  v_is app.users;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.lock_structure();
  select u.* into v_was from app.users as u where u.uid = p_uid;
  v_is := app.set_agent_level(p_uid, p_grade, auth.uid(), null, p_held);
  perform app.record_action(
    'set_agent_level', 'member', p_uid::text, jsonb_build_object('agent_level', v_was.agent_level, 'hold', v_was.is_held),
    jsonb_build_object('agent_level', v_is.agent_level, 'hold', v_is.is_held)
  );
  return jsonb_build_object('uid', p_uid, 'agent_level', v_is.agent_level, 'hold', v_is.is_held);
end
$$;

comment on function api.set_agent_level is
  'Sets a member''s grade by hand and whether tasks still raise it. With p_held null, lowering a member holds the level; '
  'otherwise the hold stays as it is. Returns the grade after it: when a hold ends, the member may rise (app.set_agent_level). Serves PUT /adminapi/hjf/member/{uid}/level.';

grant execute on function api.set_agent_level(bigint, smallint, boolean) to store_admin;

-- Locks: structure (exclusive), then balances by uid.
-- Idempotent without p_version: settings equal to those in force change nothing. With p_version, a retry raises
-- changed_meanwhile.
create or replace function api.set_agent_levels(p_levels jsonb, p_version integer default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
begin
  perform app.require_admin('plan');
  perform app.lock_structure();
  if p_version <> (select max(v.version) from app.level_versions as v) then
    perform app.fail('changed_meanwhile', 'Somebody else has changed the levels since you read them.');
  end if;
  v_before := app.level_settings();
  perform app.set_agent_levels(p_levels, auth.uid(), null);
  v_after := app.level_settings();
  perform app.record_action('set_agent_levels', 'agent_levels', v_after ->> 'version', v_before, v_after, '{version, levels}');
  return api.get_agent_levels();
end
$$;

comment on function api.set_agent_levels is
  'Replaces all level settings and returns what get_agent_levels returns. With p_version, only while that version is still in '
  'force, so that nobody overwrites a change that they have not seen. Serves PUT /adminapi/agent/level.';

grant execute on function api.set_agent_levels(jsonb, integer) to store_admin;

create or replace function api.get_level_changes(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return (
    with matching as not materialized (select c.* from app.level_changes as c where c.uid = p_uid)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'from_level', l.from_level, 'to_level', l.to_level, 'from_hold', l.from_held, 'to_hold', l.to_held,
      'reason', l.reason, 'cause', case when l.reason = 'tasks' then coalesce(l.cause, 'order') end, 'order_id', l.order_id, 'changed_by', app.actor_json(l.changed_by), 'add_time', app.utc(l.add_time)
    ) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset v_skip limit p_limit) as l
  );
end
$$;

comment on function api.get_level_changes is
  'Returns one page of the changes of a member''s grade, newest first, each with what caused it: for a rise by tasks the kind of the cause, and the order '
  'if there is one; else the administrator. Serves GET /adminapi/user/{uid}/level_change.';

grant execute on function api.get_level_changes(bigint, integer, integer) to store_admin;
