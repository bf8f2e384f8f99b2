-- What members and administrators may call to prove a statement, and the worker to seal a month.

-- Locks: the count of the caller's exports.
-- Not idempotent: each call counts.
create or replace function api.get_statement_proof(p_month text, p_secret text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.use_quota(v_uid, 'export', clock_timestamp());
  return app.statement_proof(v_uid, p_month, p_secret);
end
$$;

comment on function api.get_statement_proof is
  'Returns what proves that the caller''s bill rows of a month are in its seal (app.statement_proof). Serves POST '
  '/api/statement/proof.';

grant execute on function api.get_statement_proof(text, text) to authenticated, store_admin;

-- Security definer: client roles may not execute app.statement_proof.
create or replace function api.admin_get_statement_proof(p_uid bigint, p_month text, p_secret text)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  perform app.require_user(p_uid);
  return app.statement_proof(p_uid, p_month, p_secret);
end
$$;

comment on function api.admin_get_statement_proof is
  'Returns what proves that a member''s bill rows of a month are in its seal (app.statement_proof). Serves GET '
  '/adminapi/user/{uid}/statement/proof.';

grant execute on function api.admin_get_statement_proof(bigint, text, text) to store_admin;

-- Security definer: reads tables for which the service has no privilege.
create or replace function api.get_month_to_seal()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('month', app.month_to_seal())
$$;

comment on function api.get_month_to_seal is 'Returns the month to seal next (app.month_to_seal).';

grant execute on function api.get_month_to_seal() to service_role;

-- Security definer: the service may not execute app.month_root.
create or replace function api.get_month_root(p_month text, p_secret text)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.month_root(p_month, p_secret)
$$;

comment on function api.get_month_root is
  'Returns the root of a closed month and what its seal must name (app.month_root).';

grant execute on function api.get_month_root(text, text) to service_role;

-- Locks, Idempotent: see app.record_seal.
create or replace function api.record_seal(
  p_month text, p_rows bigint, p_root text, p_previous text, p_key text, p_signature text, p_former_signature text
)
returns jsonb
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.record_seal(
    p_month, p_rows, p_root, p_previous, p_key, p_signature, p_former_signature, false, clock_timestamp()
  )
$$;

comment on function api.record_seal is 'Records a seal that the worker has signed (app.record_seal).';

grant execute on function api.record_seal(text, bigint, text, text, text, text, text) to service_role;

-- Idempotent: see app.finish_outbox.
create or replace function api.finish_sealing(p_month text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.finish_outbox('seal_month', p_month);
  return '{}'::jsonb;
end
$$;

comment on function api.finish_sealing is
  'Removes the call of a closed month from the outbox: nothing is left to seal.';

grant execute on function api.finish_sealing(text) to service_role;
