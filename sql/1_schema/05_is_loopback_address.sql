create or replace function app.is_loopback_address(p_text text)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select p_text ~* '^https?://([^/?#@]*@)?(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]*)?([/?#]|$)'
$$;

comment on function app.is_loopback_address is
  'Returns whether an http or https address leads to the machine on which it is opened, so that it shows nothing on any other '
  'machine.';
