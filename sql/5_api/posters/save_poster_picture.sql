-- Security definer: client roles have no write privilege on posters.
-- Raises: invalid_argument.
-- Idempotent: the same picture is stored again.
create or replace function api.save_poster_picture(p_token uuid, p_image text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.posters set image = decode(p_image, 'base64') where token = p_token;
  return jsonb_build_object('kept', found);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The picture is not base64 or too large.');
end
$$;

comment on function api.save_poster_picture is
  'Stores the drawn picture of a poster, given as base64. Returns kept = false if the poster has changed meanwhile and so has '
  'another token.';

grant execute on function api.save_poster_picture(uuid, text) to service_role;
