create or replace function app.are_web_addresses(p_texts text[], p_longest integer)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(coalesce(char_length(t) <= p_longest and app.is_web_address(t), false)), true) from unnest(p_texts) as t
$$;

comment on function app.are_web_addresses is 'Returns whether every text of a list is a web address of at most p_longest characters.';
