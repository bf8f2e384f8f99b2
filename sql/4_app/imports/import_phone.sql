-- Has no set clause and no FROM, so that the planner can inline it.
create or replace function app.import_phone(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_text !~ '^[ ]*([+]|00)' and pg_catalog.regexp_replace(p_text, '[^0-9]', '', 'g') ~ '^1[0-9]{10}$' then '86' || pg_catalog.regexp_replace(p_text, '[^0-9]', '', 'g')
    when p_text !~ '[^0-9 ()+-]' and pg_catalog.regexp_replace(pg_catalog.regexp_replace(p_text, '^[ ]*00', ''), '[^0-9]', '', 'g') ~ '^[1-9][0-9]{7,14}$'
      then pg_catalog.regexp_replace(pg_catalog.regexp_replace(p_text, '^[ ]*00', ''), '[^0-9]', '', 'g')
  end
$$;

comment on function app.import_phone is
  'Returns a phone number as the Auth server stores it, with country code and without "+", or null if the text is no such number. '
  'Eleven digits that begin with 1 are a number of mainland China, unless "+" or "00" begins a country code.';
