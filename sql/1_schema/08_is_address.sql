create or replace function app.is_address(p_address jsonb)
returns boolean
language sql
immutable
parallel safe
strict
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_typeof(p_address) = 'object' and not exists (
      select from jsonb_object_keys(p_address) as k where k not in ('name', 'phone', 'region', 'street')
    )
    and coalesce(jsonb_typeof(p_address -> 'name') = 'string' and char_length(p_address ->> 'name') <= 64 and app.is_visible(p_address ->> 'name'), false)
    and coalesce(jsonb_typeof(p_address -> 'phone') = 'string' and p_address ->> 'phone' ~ '^[+]?[0-9][0-9 -]{3,22}[0-9]$', false)
    and coalesce(jsonb_typeof(p_address -> 'region') = 'array' and jsonb_array_length(p_address -> 'region') between 1 and 6, false)
    and not exists (
      select from jsonb_array_elements(case when jsonb_typeof(p_address -> 'region') = 'array' then p_address -> 'region' else '[]' end) as r
      where jsonb_typeof(r.value) <> 'string' or char_length(r.value #>> '{}') > 64 or not app.is_visible(r.value #>> '{}')
    )
    and coalesce(jsonb_typeof(p_address -> 'street') = 'string' and char_length(p_address ->> 'street') <= 200 and app.is_visible(p_address ->> 'street'), false)
$$;

comment on function app.is_address is
  'Returns whether a value is a postal address: name (up to 64 characters), phone (5 to 25 digits, blanks and hyphens, with or without a '
  'leading +), region (1 to 6 names, from the largest area to the smallest) and street (up to 200 characters), and nothing else.';
