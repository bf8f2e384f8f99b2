-- What administrators may call about the outbox, and how the worker leases calls.

create or replace function api.get_outbox(
  p_state text default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with matching as not materialized (select o.* from app.outbox as o where p_state is null or o.state = p_state)
    select app.list_json(jsonb_agg(app.outbox_json(l) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as l
  );
end
$$;

comment on function api.get_outbox is
  'Returns one page of the calls to providers that are still to be made, newest first. Serves GET /adminapi/outbox.';

grant execute on function api.get_outbox(text, integer, integer) to store_admin;

-- Not idempotent: see app.lease_outbox.
create or replace function api.lease_outbox(p_limit integer default 10, p_lane text default 'calls')
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'A worker takes between 1 and 100 rows at a time.');
  elsif p_lane is null or p_lane not in ('calls', 'messages') then
    perform app.fail('invalid_argument', 'The outbox has the lanes calls and messages.');
  end if;
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('id', o.id, 'kind', o.kind, 'key', o.key, 'payload', o.payload, 'attempt', o.attempts)
        order by o.id
      ),
      '[]'
    )
    from app.lease_outbox(p_limit, clock_timestamp(), p_lane) as o
  );
end
$$;

comment on function api.lease_outbox is
  'Takes up to p_limit due rows of a lane of the outbox, [{id, kind, key, payload, attempt}]. A row without a recorded '
  'result is due again after app.lease_duration(). Serves POST /worker/run.';

grant execute on function api.lease_outbox(integer, text) to service_role;

-- Not idempotent: see app.postpone_outbox.
create or replace function api.postpone_outbox(p_id bigint, p_attempt integer, p_problem text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.postpone_outbox(p_id, p_attempt, p_problem, clock_timestamp());
  return 'null'::jsonb;
end
$$;

comment on function api.postpone_outbox is
  'Records that a leased call to a provider has no final result yet (app.postpone_outbox).';

grant execute on function api.postpone_outbox(bigint, integer, text) to service_role;

-- Locks: the row of the outbox.
-- Idempotent: a waiting row becomes due now.
create or replace function api.retry_outbox(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.outbox;
  v_after app.outbox;
begin
  perform app.require_admin('money');
  select o.* into v_before from app.outbox as o where o.id = p_id for update;
  if not found then
    perform app.fail('job_not_found', 'This call has already been completed.');
  end if;
  perform app.reject_own_order((v_before.payload ->> 'order_id')::bigint);
  perform app.reject_own_member((
    select w.uid from app.withdrawals as w where w.id = (v_before.payload ->> 'withdrawal_id')::bigint
  ));
  update app.outbox as o set state = 'waiting', attempts = 0, run_after = clock_timestamp() where o.id = p_id
  returning o.* into v_after;
  perform app.record_action(
    'retry_outbox', 'outbox', p_id::text,
    jsonb_build_object('state', v_before.state, 'attempts', v_before.attempts),
    jsonb_build_object('state', v_after.state, 'attempts', v_after.attempts)
  );
  return app.outbox_json(v_after);
end
$$;

comment on function api.retry_outbox is
  'Makes a call to a provider due now, resets its attempts, and returns it. Serves PUT /adminapi/outbox/{id}/retry.';

grant execute on function api.retry_outbox(bigint) to store_admin;
