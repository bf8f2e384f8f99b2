-- Writes the balances of a copy of the engine anew. A row that is updated again and again in one transaction leaves all
-- its versions behind, and every reader walks past them; vacuum cannot help before the transaction ends.
-- Callers: replay_orders.
create or replace function app.compact_balances(p_schema text)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('create table %1$I.compacted as table %1$I.user_balances', p_schema);
  execute format('truncate %1$I.user_balances', p_schema);
  execute format('insert into %1$I.user_balances table %1$I.compacted', p_schema);
  execute format('drop table %1$I.compacted', p_schema);
end
$$;
