-- The filters of a list of the console under names that an administrator gave them.

create or replace function app.are_views(p_views jsonb)
returns boolean
language sql
immutable
parallel safe
strict
set search_path = pg_catalog, pg_temp
as $$
  select case
    when jsonb_typeof(p_views) <> 'array' or jsonb_array_length(p_views) > 20 then false
    else not exists (
        select from jsonb_array_elements(p_views) as v
        where jsonb_typeof(v.value) <> 'object' or v.value - '{name, query}'::text[] <> '{}'
          or (
            jsonb_typeof(v.value -> 'name') = 'string' and char_length(v.value ->> 'name') <= 60
            and app.is_line(v.value ->> 'name')
          ) is not true
          or (
            jsonb_typeof(v.value -> 'query') = 'string' and char_length(v.value ->> 'query') <= 1000
            and app.is_line(v.value ->> 'query')
          ) is not true
      )
      and (select count(distinct v.value -> 'name') = count(*) from jsonb_array_elements(p_views) as v)
  end
$$;

comment on function app.are_views is
  'Returns whether a value is a list of at most 20 saved views, {name, query}. Names are different and have at most 60 '
  'characters, queries 1000.';

create table app.saved_views (
  auth_id uuid references app.administrators (auth_id) on delete cascade,
  page text,
  views jsonb not null,
  primary key (auth_id, page),
  constraint page_is_known check (
    page in (
      'orders', 'members', 'shipping', 'payments', 'withdrawals', 'adjustments', 'bill', 'products', 'release',
      'outbox', 'actions'
    )
  ),
  constraint views_are_views check (app.are_views(views))
);
comment on table app.saved_views is
  'The saved views of an administrator, by list of the console: {name, query}, with the filters as in the address of '
  'the page.';

alter table app.saved_views enable row level security;
create policy admins_read_saved_views on app.saved_views for select to store_admin, service_role using (true);
grant select on app.saved_views to store_admin, service_role;

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

comment on function api.get_own_views is
  'Returns the saved views of a list of the calling administrator: {views}. Serves GET /adminapi/me/view/{page}.';

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
  'Replaces the saved views of a list of the calling administrator (app.are_views) and returns what get_own_views '
  'returns. Serves PUT /adminapi/me/view/{page}.';

grant execute on function api.set_own_views(text, jsonb) to store_admin;
