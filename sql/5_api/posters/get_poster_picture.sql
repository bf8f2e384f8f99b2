-- Security definer: the token alone decides which poster is read; policies would add nothing.
-- Raises: poster_not_found.
create or replace function api.get_poster_picture(p_token uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result jsonb;
begin
  select case
    when p.image is not null then jsonb_build_object('image', translate(encode(p.image, 'base64'), E'\n', ''))
    else jsonb_build_object(
      'image', null, 'uid', p.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'site_name', s.site_name,
      'share_url', p.share_url, 'code', translate(encode(p.code, 'base64'), E'\n', '')
    )
  end into v_result
  from app.posters as p
  join app.users as u on u.uid = p.uid
  cross join app.settings as s
  where p.token = p_token;
  if v_result is null then
    perform app.fail('poster_not_found');
  end if;
  return v_result;
end
$$;

comment on function api.get_poster_picture is
  'Returns the picture of a poster as base64, or, until it is drawn, the data to draw it from. Serves GET '
  '/poster/image/{file}.';

grant execute on function api.get_poster_picture(uuid) to service_role;
