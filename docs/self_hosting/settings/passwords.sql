-- Sets the passwords of the roles that exist. Run it again after the first migrations, which create store_api, and
-- after a backup was restored, which has no passwords.
select format('alter role %I password %L', r.rolname, p.password)
from (values
  ('postgres', '{{owner_password}}'),
  ('supabase_auth_admin', '{{auth_password}}'),
  ('store_api', '{{store_api_password}}')
) as p (role, password)
join pg_catalog.pg_roles as r on r.rolname = p.role
\gexec
