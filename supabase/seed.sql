-- The password with which the functions of `supabase functions serve` sign in (supabase/functions/.env). Seeds may run
-- on a hosted project, too (`supabase db reset --linked`). Only the local database of the CLI has its published secret.

do $$
begin
  if current_setting('app.settings.jwt_secret', true) = 'super-secret-jwt-token-with-at-least-32-characters-long' then
    alter role store_api password 'local-store-api';
  else
    raise notice 'This is not the local database of the Supabase CLI: store_api keeps its password.';
  end if;
end
$$;
