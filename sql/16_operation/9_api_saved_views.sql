-- What administrators may call about the views of lists that they have saved.

-- Security definer: client roles cannot read in schema auth who the caller is.
create or replace function api.get_own_views(p_page text)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return jsonb_build_object(
    'views', coalesce((select s.views from app.saved_views as s where s.auth_id = auth.uid() and s.page = p_page), '[]')
  );
end
$$;

comment on function api.get_own_views is 'Returns the views of a list that the calling administrator has saved. Serves GET /adminapi/me/view/{page}.';

grant execute on function api.get_own_views(text) to store_admin;

-- Locks: the views of the caller.
-- Idempotent: the same views again change nothing.
create or replace function api.set_own_views(p_page text, p_views jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
begin
  perform app.require_admin(null);
  if app.are_views(p_views) is not true then
    perform app.fail('invalid_argument', 'Send at most 20 views with different names of one line.', '/views');
  end if;
  select s.views into v_before from app.saved_views as s where s.auth_id = auth.uid() and s.page = p_page for update;
  insert into app.saved_views (auth_id, page, views) values (auth.uid(), p_page, p_views)
  on conflict (auth_id, page) do update set views = excluded.views;
  perform app.record_action(
    'set_own_views', 'administrator', auth.uid()::text, jsonb_build_object('saved_views', jsonb_array_length(v_before)),
    jsonb_build_object('page', p_page, 'saved_views', jsonb_array_length(p_views))
  );
  return api.get_own_views(p_page);
exception when check_violation or not_null_violation then
  perform app.fail('invalid_argument', 'There is no list of this name.');
end
$$;

comment on function api.set_own_views is
  'Replaces the views of a list that the calling administrator has saved: {name, query}, at most 20. Returns what get_own_views returns. '
  'Serves PUT /adminapi/me/view/{page}.';

grant execute on function api.set_own_views(text, jsonb) to store_admin;
