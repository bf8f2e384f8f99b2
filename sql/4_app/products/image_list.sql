-- Raises: invalid_argument.
create or replace function app.image_list(p_texts jsonb)
returns text[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(p_texts) <> 'array' or jsonb_path_exists(p_texts, 'strict $[*] ? (@.type() != "string")') then
    perform app.fail('invalid_argument', 'Images must be a list of URLs.', '/images');
  end if;
  return array(select t.value from jsonb_array_elements_text(p_texts) with ordinality as t order by t.ordinality);
end
$$;

comment on function app.image_list is 'Returns the texts of a JSON list. Raises invalid_argument for any other value. Null gives an empty list.';
