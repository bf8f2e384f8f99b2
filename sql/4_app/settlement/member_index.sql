create or replace function app.member_index(p_state app.engine_state, p_uid bigint)
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select m.ordinality::integer from unnest(p_state.members) with ordinality as m where m.uid = p_uid
$$;

comment on function app.member_index is 'Returns the index of a member in the arrays of a state.';
