-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.top_grade()
returns smallint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select max(l.grade) from app.agent_levels as l where l.is_active);
end
$$;

comment on function app.top_grade is
  'Returns the highest active grade. Members who hold it cannot rise, so nothing is counted for them and settlements do not '
  'lock their balances for counting.';
