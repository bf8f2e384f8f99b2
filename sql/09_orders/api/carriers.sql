-- What administrators may call about the list of carriers. A carrier is switched off, and never deleted, because
-- parcels name it.

create or replace function app.carrier_json(p_carrier app.carriers)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'code', p_carrier.code, 'name', p_carrier.name, 'name_zh', p_carrier.name_zh, 'tracking_url',
    p_carrier.tracking_url, 'is_active', p_carrier.is_active
  )
$$;

comment on function app.carrier_json is 'Returns a carrier as the API shows it.';

grant execute on function app.carrier_json(app.carriers) to store_admin;

create or replace function api.get_carriers()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select app.list_json(jsonb_agg(app.carrier_json(c) order by c.is_active desc, c.code), count(*))
    from app.carriers as c
  );
end
$$;

comment on function api.get_carriers is 'Returns all carriers, the active ones first. Serves GET /adminapi/carrier.';

grant execute on function api.get_carriers() to store_admin;

-- Idempotent: a code is given once. A second call raises invalid_argument.
create or replace function api.create_carrier(
  p_code text, p_name text, p_name_zh text, p_tracking_url text default null, p_is_active boolean default true
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_carrier app.carriers;
  v_constraint text;
begin
  perform app.require_admin('orders');
  insert into app.carriers (code, name, name_zh, tracking_url, is_active) values (
    p_code, p_name, p_name_zh, nullif(p_tracking_url, ''), p_is_active
  )
  returning * into v_carrier;
  perform app.record_action('create_carrier', 'carrier', p_code, null, to_jsonb(v_carrier));
  return app.carrier_json(v_carrier);
exception
  when unique_violation then
    perform app.fail('invalid_argument', 'Another carrier has this code or name.');
  when check_violation or not_null_violation or data_exception then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_carrier is 'Adds a carrier to the list and returns it. Serves POST /adminapi/carrier.';

grant execute on function api.create_carrier(text, text, text, text, boolean) to store_admin;

-- Locks: the carrier.
-- Idempotent: sets values.
create or replace function api.set_carrier(
  p_code text, p_name text default null, p_name_zh text default null, p_tracking_url text default null,
  p_is_active boolean default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.carriers;
  v_after app.carriers;
  v_constraint text;
begin
  perform app.require_admin('orders');
  select c.* into v_before from app.carriers as c where c.code = p_code for update;
  if not found then
    perform app.fail('carrier_not_found');
  end if;
  update app.carriers as c
  set name = coalesce(p_name, c.name), name_zh = coalesce(p_name_zh, c.name_zh),
    is_active = coalesce(p_is_active, c.is_active),
    tracking_url = case when p_tracking_url is null then c.tracking_url else nullif(p_tracking_url, '') end
  where c.code = p_code returning c.* into v_after;
  perform app.record_action('set_carrier', 'carrier', p_code, to_jsonb(v_before), to_jsonb(v_after));
  return app.carrier_json(v_after);
exception
  when unique_violation then
    perform app.fail('invalid_argument', 'Another carrier has this code or name.');
  when check_violation or data_exception then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_carrier is
  'Changes the given values of a carrier and returns it; an empty tracking address removes it. Serves PUT '
  '/adminapi/carrier/{code}.';

grant execute on function api.set_carrier(text, text, text, text, boolean) to store_admin;
