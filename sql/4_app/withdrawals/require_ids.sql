-- Raises: invalid_argument.
create or replace function app.require_ids(p_ids jsonb)
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
begin
  -- Checked first, because jsonb_array_elements fails for a value that is not an array.
  if jsonb_typeof(p_ids) = 'array' and jsonb_array_length(p_ids) between 1 and 1000 then
    select array_agg(distinct (e.value)::bigint order by (e.value)::bigint) into v_ids
    from jsonb_array_elements(p_ids) as e (value)
    where jsonb_typeof(e.value) = 'number' and e.value::text ~ '^[1-9][0-9]{0,15}$';
  end if;
  if v_ids is null or cardinality(v_ids) < jsonb_array_length(p_ids) then
    perform app.fail('invalid_argument', 'Name 1 to 1000 different ids.', '/ids');
  end if;
  return v_ids;
end
$$;

comment on function app.require_ids is 'Returns the ids of a JSON array, ascending. Raises invalid_argument unless it has 1 to 1000 different ids.';
