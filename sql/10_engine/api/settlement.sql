-- What clients may call about settlement, and about cycles and places.

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
  'Settles one batch of waiting orders and returns how many jobs it handled, or null (app.lead_settlement). After a '
  'payment, the edge functions repeat it until it returns null.';

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
    with matching as not materialized (
      select j.* from app.settlement_jobs as j where p_state is null or j.state = p_state
    )
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
  perform app.record_action(
    'retry_job', 'order', p_order_id::text, v_before, jsonb_build_object('state', 'waiting', 'attempts', 0)
  );
  return jsonb_build_object('order_id', p_order_id, 'state', 'waiting');
end
$$;

comment on function api.retry_job is
  'Makes a waiting or dead settlement job due now and resets its attempts. Serves POST /adminapi/hjf/jobs/{id}/retry.';

grant execute on function api.retry_job(bigint) to store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level
-- security, every table would look up the caller again (decision 0024). PL/pgSQL instead of SQL, so that the session
-- caches the query plan (decision 0007).
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
      'uid', s.uid, 'nickname', (select u.nickname from app.users as u where u.uid = s.uid), 'base', s.base::text,
      'ratio', trim_scale(s.rate), 'commission', coalesce(c.amount_left, s.commission)::text,
      'commission_at_settlement', s.commission::text, 'commission_points',
      trim_scale(coalesce(b.points, s.commission_points)),
      'commission_points_at_settlement', trim_scale(s.commission_points), 'settled_at', app.utc(s.settled_at)
    ) order by l.cycle_no desc, l.place desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.cycle_no desc, m.place desc offset v_skip limit p_limit) as l
    left join app.settlements as s on s.order_id = l.order_id
    left join app.commission_maturities as c on c.order_id = l.order_id
    left join lateral (
      select sum(r.frozen_delta + r.available_delta) as points
      -- Of the table: only releases can stand elsewhere.
      from app.user_bill as r
      where r.order_id = l.order_id and r.uid = p_uid and r.source = 'cycle' and r.brokerage_delta = 0
    ) as b on true
  );
end
$$;

comment on function api.get_places is
  'Returns one page of the taken places of a member''s cycles, latest first, with commission and points as settled and '
  'after refunds. Places that an imported member brought have no order. Serves GET /adminapi/user/{uid}/place.';

grant execute on function api.get_places(bigint, integer, integer) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
create or replace function api.get_settlement(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result jsonb;
begin
  perform app.require_admin();
  v_result := app.explain_order(p_order_id);
  return v_result || jsonb_build_object('members', (
    select coalesce(jsonb_agg(jsonb_build_object('uid', u.uid, 'nickname', u.nickname) order by u.uid), '[]')
    from app.users as u
    where u.uid in (
      select m.uid::bigint
      from jsonb_path_query(
        v_result, 'strict $.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "^(.*_)?uid$").value'
      ) as m (uid)
      where jsonb_typeof(m.uid) = 'number'
    )
  ));
end
$$;

comment on function api.get_settlement is
  'Explains who was paid what for an order and why (app.explain_order), with the nicknames of the members. Serves GET '
  '/adminapi/order/{id}/settlement.';

grant execute on function api.get_settlement(bigint) to store_admin;
