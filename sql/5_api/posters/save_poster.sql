-- GET /api/spread/poster, second half, where the first had no poster to give or a code was asked for: p_code is the
-- mini-program code in base64, or null where there is none.
-- Security definer: posters are kept by functions only. Raises: user_not_found, invalid_argument. Safe twice.
create or replace function api.save_poster(p_uid bigint, p_template text, p_code_source text default null, p_code text default null)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.poster_json(app.save_poster(p_uid, p_template, p_code_source, decode(p_code, 'base64'), clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the poster is missing, not base64 or too large.');
end
$$;

grant execute on function api.save_poster(bigint, text, text, text) to service_role;
