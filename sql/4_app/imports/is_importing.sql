-- One probe of a unique index that has at most one row. PL/pgSQL, so that the session caches the query plan.
-- Precondition: the caller owns the structure lock, so that no import begins meanwhile.
create or replace function app.is_importing()
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from app.imports as i where i.finished_at is null);
end
$$;

comment on function app.is_importing is
  'Returns whether an import is unfinished. Settlements wait for it, because a referrer whose own orders are not imported yet is not '
  'eligible (R4).';
