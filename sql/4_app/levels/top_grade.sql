-- The highest active grade. Members who hold it cannot rise: nothing is counted for them and their rows are not locked.
-- In plpgsql because its plan is kept: see get_upline.
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
