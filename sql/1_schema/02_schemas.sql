create schema if not exists app;
create schema if not exists api;
create schema if not exists archive;

comment on schema app is 'Tables and internal functions of the store. Never exposed by the Data API.';
comment on schema api is 'The functions that client roles may execute, each granted at the foot of its own file.';
comment on schema archive is 'Archived months of the bill and of the release log (app.archive_month). Only the owner reads them.';

grant usage on schema app to anon, authenticated, store_admin, service_role, store_api;
grant usage on schema api to anon, authenticated, store_admin, service_role;

-- Global for the creating role, because the per-schema form cannot revoke the default privileges of PUBLIC.
alter default privileges revoke execute on functions from public;
