-- Guarantee access/privileges
begin;
\ir ../support/fixture.psql
select plan(11);

-- Who may execute what, by rules that read no grant. So a grant that no rule asks for fails, also after the access
-- matrix has been generated again, and so does one that is missing.
create temporary table functions as
select p.oid as id, p.pronamespace::regnamespace || '.' || p.proname as name,
  p.pronamespace = 'api'::regnamespace as is_api, p.prosecdef as runs_as_owner,
  pg_get_function_arguments(p.oid) as arguments,
  regexp_replace(p.prosrc, '--[^\n]*', '', 'g') || coalesce(pg_get_function_sqlbody(p.oid), '') as body
from pg_proc as p
where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace);
create temporary table client_roles (role) as values ('anon'), ('authenticated'), ('store_admin'), ('store_key'),
  ('service_role'), ('store_api');

-- Schema api: a function is for those whom it checks. An administrator may be a member, too. A function that checks
-- nobody is for the edge functions, except those that visitors may call.
create temporary table open_to_visitors (name) as
values ('api.check_cart'), ('api.get_first_page'), ('api.get_health'), ('api.get_product'), ('api.get_products'),
  ('api.get_readable_article'), ('api.get_required_article'), ('api.get_system_metadata');
create temporary table api_grants as
select f.id, f.name, r.role
from functions as f
cross join lateral unnest(case
  when f.name in (select v.name from open_to_visitors as v) then array['anon', 'authenticated', 'store_admin']
  when f.body ~ 'app[.]require_admin[(]' then array['store_admin']
  when f.body ~ 'app[.](require_uid|require_own_order|current_uid|lock_addresses)[(]'
    then array['authenticated', 'store_admin']
  else array['service_role']
end) as r (role)
where f.is_api;

-- Schema app: what the login role and each request call before and after a function of schema api.
create temporary table entries (name text, roles text[]);
insert into entries values
  ('app.as_caller', '{store_api}'), ('app.become_caller', '{store_api}'), ('app.as_service', '{store_api}'),
    ('app.read_as_caller', '{store_api}'),
  ('app.has_replayed', '{store_api}'), ('app.log_position', '{store_api}'), ('app.schema_version', '{store_api}'),
  ('app.fail', '{store_api, anon, authenticated, store_admin, service_role}'),
  ('app.error_codes', '{store_api, anon, authenticated, store_admin, service_role}'),
  ('app.call_api', '{anon, authenticated, store_admin, service_role}'),
  ('app.check_arguments', '{anon, authenticated, store_admin, service_role}'),
  ('app.call_once', '{authenticated, store_admin}'), ('app.find_response', '{authenticated, store_admin}'),
  ('app.store_response', '{authenticated, store_admin}');
-- Everything else in schema app is for the roles with whose own rights it is called: in the body of a function that
-- does not run as its owner, or in a default argument, which the caller evaluates.
create temporary table calls as
select distinct f.id as caller, g.id as callee
from functions as f
cross join lateral regexp_matches(
  case when f.runs_as_owner then f.arguments else f.arguments || f.body end, 'app[.]\w+(?=[(])', 'g'
) as m
join functions as g on g.name = m[1]
-- A text of an error names functions, which it does not call.
where f.name <> 'app.error_codes';
create temporary table expected as
with recursive reached as (
  select a.id, a.role from api_grants as a
  union
  select c.callee, d.role
  from reached as d
  join calls as c on c.caller = d.id
)
select d.id, d.role from reached as d
union
select f.id, unnest(e.roles) from entries as e join functions as f on f.name = e.name;
-- Machine keys: of schema app what administrators may, of schema api what the scopes name, which are stated a second
-- time by test/api/access_matrix.test.ts.
insert into expected select e.id, 'store_key' from expected as e join functions as f on f.id = e.id
where e.role = 'store_admin' and not f.is_api;
insert into expected select f.id, 'store_key' from functions as f
join app.key_scopes() as s on f.name = any (select 'api.' || n from unnest(s.functions) as n);

-- A tool runs what a key may call.
insert into expected select f.id, 'store_key' from functions as f where f.name = 'api.call_tool';

-- Only these functions of schema app give a client more than its own rights.
create temporary table owners_rights (name text, roles text);
insert into owners_rights values
  ('app.call_tool', 'store_admin store_key'),
  ('app.current_era', 'store_admin store_key'), ('app.current_uid', 'authenticated store_admin store_key'),
  ('app.find_products', 'anon authenticated store_admin store_key'),
  ('app.find_response', 'authenticated store_admin store_key'), ('app.idle_administrators', 'store_admin store_key'),
  ('app.late_jobs', 'store_admin store_key'), ('app.key_name_json', 'store_admin store_key'),
  ('app.month_bounds', 'authenticated store_admin store_key'),
  ('app.order_expires_at', 'authenticated store_admin store_key'),
  ('app.picture_of_product', 'authenticated store_admin store_key'),
  ('app.pictures_of_refund', 'authenticated store_admin store_key'), ('app.require_admin', 'store_admin store_key'),
  ('app.schema_version', 'store_api'), ('app.scheduler_state', 'store_admin store_key'),
  ('app.store_response', 'authenticated store_admin store_key'),
  ('app.webhook_name', 'store_admin store_key'), ('app.you_would_earn', 'anon authenticated store_admin store_key');

create function pg_temp.differences() returns table (difference text) language sql as $$
  select case when e.id is null then 'granted' else 'missing' end || ': ' || f.name || ' to ' || r.role
  from functions as f
  cross join client_roles as r
  left join expected as e on e.id = f.id and e.role = r.role
  where has_function_privilege(r.role, f.id, 'execute') <> (e.id is not null)
  union all
  select 'runs as its owner: ' || g.name || ' for ' || g.roles
  from (
    select f.name,
      string_agg(
        r.role, ' '
        order by array_position(
          array['anon', 'authenticated', 'store_admin', 'store_key', 'service_role', 'store_api'], r.role
        )
      ) as roles
    from functions as f cross join client_roles as r
    where not f.is_api and f.runs_as_owner and has_function_privilege(r.role, f.id, 'execute')
    group by f.id, f.name
    except
    select o.name, o.roles from owners_rights as o
  ) as g
$$;
-- What is found while a change is in force. The change is undone.
create function pg_temp.differences_after(p_change text) returns text language plpgsql as $$
declare
  v_found text;
begin
  execute p_change;
  select string_agg(d.difference, ', ' order by d.difference collate "C") into v_found from pg_temp.differences() as d;
  raise exception using errcode = 'P0099', message = coalesce(v_found, 'nothing');
exception when sqlstate 'P0099' then
  return sqlerrm;
end
$$;

select is_empty(
  'select difference from pg_temp.differences()', 'each function is granted to the roles that need it, and to no other'
);
select is_empty(
  'select name from open_to_visitors except select name from functions', 'each function for visitors exists'
);
select is_empty(
  'select name from entries except select name from functions', 'each function with which a call begins exists'
);
select is_empty(
  $$ select o.name from owners_rights as o except select f.name from functions as f
  where f.runs_as_owner $$, 'each function that is listed runs as its owner'
);

select is(pg_temp.differences_after(change), difference, name)
from (values
  (
    'a grant to visitors is found', 'grant execute on function app.bill_json(app.user_bill) to anon',
    'granted: app.bill_json to anon'
  ),
  (
    'a grant of a function of administrators to members is found',
    'grant execute on function api.get_settings() to authenticated', 'granted: api.get_settings to authenticated'
  ),
  (
    'a grant of a helper to members is found',
    'grant execute on function app.user_json(app.users, app.user_balances) to authenticated',
    'granted: app.user_json to authenticated'
  ),
  (
    'a grant to the login role is found', 'grant execute on function api.get_health() to store_api',
    'granted: api.get_health to store_api'
  ),
  (
    'a missing grant of schema api is found', 'revoke execute on function api.get_me() from authenticated',
    'missing: api.get_me to authenticated'
  ),
  (
    'a missing grant of a helper is found',
    'revoke execute on function app.bill_json(app.user_bill) from authenticated',
    'missing: app.bill_json to authenticated'
  ),
  (
    'a helper that begins to run as its owner is found',
    'create function app.first_uid() returns bigint language sql security definer as ''select min(uid) from app.users''; grant execute on function app.first_uid() to anon; insert into functions values (''app.first_uid()''::regprocedure, ''app.first_uid'', false, true, '''', '''')',
    'granted: app.first_uid to anon, runs as its owner: app.first_uid for anon'
  )
) as c (name, change, difference);

select * from finish();
rollback;
