-- Security definer: client roles have no write privilege on posters.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: the first code that arrives from a source stays.
create or replace function api.save_poster(p_uid bigint, p_template text, p_code_source text default null, p_code text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.poster_json(app.save_poster(p_uid, p_template, p_code_source, decode(p_code, 'base64'), clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the poster is missing, not base64 or too large.');
end
$$;

comment on function api.save_poster is
  'Creates or updates a member''s poster and returns it. p_code is the mini-program code as base64, or null where there is '
  'none. Second step of GET /api/spread/poster, if get_poster returned no poster or asked for a code.';

grant execute on function api.save_poster(bigint, text, text, text) to service_role;
