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
          or (jsonb_typeof(v.value -> 'name') = 'string' and char_length(v.value ->> 'name') <= 60 and app.is_line(v.value ->> 'name')) is not true
          or (jsonb_typeof(v.value -> 'query') = 'string' and char_length(v.value ->> 'query') <= 1000 and app.is_line(v.value ->> 'query')) is not true
      )
      and (select count(distinct v.value -> 'name') = count(*) from jsonb_array_elements(p_views) as v)
  end
$$;

comment on function app.are_views is
  'Returns whether a value is a list of at most 20 saved views: objects with a name of at most 60 characters, different from the others, and a query of at most 1000.';

create table app.saved_views (
  auth_id uuid references app.administrators (auth_id) on delete cascade,
  page text,
  views jsonb not null,
  primary key (auth_id, page),
  constraint page_is_known check (
    page in ('orders', 'members', 'shipping', 'payments', 'withdrawals', 'adjustments', 'bill', 'products', 'release', 'outbox', 'actions')
  ),
  constraint views_are_views check (app.are_views(views))
);
comment on table app.saved_views is
  'The saved views of an administrator, by list of the console and in the order of the administrator: {name, query}, whose query has the filters as the address of '
  'the page has them.';

alter table app.saved_views enable row level security;
create policy admins_read_saved_views on app.saved_views for select to store_admin, service_role using (true);
grant select on app.saved_views to store_admin, service_role;
