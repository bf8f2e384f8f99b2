-- What administrators may call about what waits for them.

-- Security definer: what waits for the caller depends on the other administrators, whose accounts client roles cannot
-- read.
create or replace function api.get_waiting()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return app.waiting_json(auth.uid(), clock_timestamp());
end
$$;

comment on function api.get_waiting is
  'Returns how much waits for the calling administrator, by kind (app.waiting_json). Serves GET /adminapi/waiting.';

grant execute on function api.get_waiting() to store_admin;
