-- Keeps the picture of a poster, in base64, once it was drawn; not if the poster has changed meanwhile.
-- Security definer: posters are kept by functions only. Raises: invalid_argument. Safe twice.
create or replace function api.save_poster_picture(p_token uuid, p_image text)
returns jsonb
language plpgsql
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

grant execute on function api.save_poster_picture(uuid, text) to service_role;
