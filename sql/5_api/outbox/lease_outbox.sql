-- Security definer: client roles have no write privilege on the outbox.
-- Raises: invalid_argument.
-- Not idempotent: see app.lease_outbox.
create or replace function api.lease_outbox(p_limit integer default 10)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'A worker takes between 1 and 100 rows at a time.');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'key', o.key, 'payload', o.payload, 'attempt', o.attempts) order by o.id), '[]')
    from app.lease_outbox(p_limit, clock_timestamp()) as o
  );
end
$$;

comment on function api.lease_outbox is
  'Takes up to p_limit due rows of the outbox and returns them, [{id, kind, key, payload, attempt}]. If the result of a row is '
  'not recorded within the lease, the row is due again. Serves POST /worker/run.';

grant execute on function api.lease_outbox(integer) to service_role;
