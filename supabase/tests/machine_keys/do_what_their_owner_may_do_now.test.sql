-- Guarantee access/machine-key: A machine key does only what its scopes and its owner may do now. Once it is revoked or
-- expired, or its owner banned or removed, its next call fails
-- By: the role `store_key` and the check of each call, app.require_key and app.working_scopes
begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(4);

-- The owner of a key with every scope, and the same account as a person.
create temporary table owner as select pg_temp.administrator() as id;
with made as (
  insert into app.machine_keys (name, hash, scopes, calls_per_hour, owner, created_by, created_at, expires_at)
  select 'key', sha256('secret'), array(select s.scope from app.key_scopes() as s order by s.scope), 100, o.id, o.id,
    now(), now() + interval '1 day'
  from owner as o
  returning *
)
select jsonb_build_object('role', 'store_key', 'sub', k.owner, 'key', k.id) as key, jsonb_build_object('role', 'store_admin', 'sub', k.owner) as person from made as k \gset
select pg_temp.administrator(); -- somebody else is an owner

-- Every function of a scope, with arguments that are no valid ones: who may call it is checked before.
create temporary table functions as
select s.scope, p.proname as name, (
  select coalesce(jsonb_object_agg(p.proargnames[n], null), '{}')
  from generate_series(1, p.pronargs - p.pronargdefaults) as n
) as args
from app.key_scopes() as s cross join lateral unnest(s.functions) as f (name)
join pg_proc as p on p.pronamespace = 'api'::regnamespace and p.proname = f.name;
create function pg_temp.is_forbidden(
  p_claims jsonb, p_function text, p_args jsonb
) returns boolean language plpgsql as $$
begin
  return pg_temp.attempt(
    'store_api', format('select app.as_caller(%L, %L, %L)', p_claims, p_function, p_args)
  ) like '%forbidden%';
end
$$;
create temporary table calls (roles text[], scope text, name text, person boolean, key boolean);
create function pg_temp.call_as(p_roles text[], p_person jsonb, p_key jsonb) returns void language plpgsql as $$
begin
  update app.administrators as a set roles = p_roles from owner as o where a.auth_id = o.id;
  insert into calls select p_roles, f.scope, f.name, pg_temp.is_forbidden(p_person, f.name, f.args),
    pg_temp.is_forbidden(p_key, f.name, f.args)
  from functions as f;
end
$$;
select pg_temp.call_as(array[r.role], :'person', :'key') from app.role_areas() as r;

select is((select count(*) from calls), (select count(*) * 4 from functions), 'every function is called in every role');
select is_empty(
  $$ select c.roles, c.name from calls as c
  where c.person and not c.key $$, 'a key does nothing that its owner may not do'
);
select is_empty(
  $$ select c.name from calls as c
  where c.roles = '{owner}' and c.key $$, 'and everything of its scopes while its owner has the role owner'
);
select results_eq(
  $$ select c.scope from calls as c where c.roles = '{content}' group by 1 having not bool_or(c.key)
  order by 1 $$, $$ values ('content:read'), ('content:write') $$,
  'with the role content, only its scopes of content count'
);

select * from finish();
rollback;
