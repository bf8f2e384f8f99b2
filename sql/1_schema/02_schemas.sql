-- app holds tables and internals and is not exposed by the Data API; api holds what client roles may execute.
create schema if not exists app;
create schema if not exists api;

comment on schema app is 'Tables and internal functions of the store. Never exposed by the Data API.';
comment on schema api is 'The functions that client roles may execute, each granted at the foot of its own file.';

grant usage on schema app to anon, authenticated, store_admin, service_role, store_api;
grant usage on schema api to anon, authenticated, store_admin, service_role;

-- Global for the creating role on purpose: the per-schema form cannot take away what PUBLIC gets by default.
alter default privileges revoke execute on functions from public;
