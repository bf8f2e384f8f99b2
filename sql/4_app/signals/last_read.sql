create or replace function app.last_read(p_found bigint[], p_examined bigint[], p_limit integer)
returns bigint
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when cardinality(p_found) = p_limit then (select min(f.id) from unnest(p_found) as f (id))
    when cardinality(p_examined) = app.signal_read_limit() then (select min(e.id) from unnest(p_examined) as e (id))
  end
$$;

comment on function app.last_read is
  'Returns the cursor of the next page of signals: the id of the last signal if the page is full, otherwise that of the last row '
  'examined if app.signal_read_limit() rows were examined. Null after the last page.';
