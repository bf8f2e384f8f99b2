create or replace function app.oldest_part(p_table text)
returns date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select min(to_date(right(c.relname, 6), 'YYYYMM'))
  from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
  where i.inhparent = to_regclass(format('app.%I', p_table)) and c.relname ~ '_[0-9]{6}$'
$$;

comment on function app.oldest_part is 'Returns the oldest month of a table that is attached; null if none has a partition of its own.';
