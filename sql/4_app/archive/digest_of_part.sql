-- Independent of the sequence of the rows. The settings make the text of a row the same in every session.
create or replace function app.digest_of_part(p_part regclass, out row_count bigint, out digest numeric, out last_time timestamptz)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO'
as $$
begin
  execute format('select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0), max(t.add_time) from %s as t', p_part)
  into row_count, digest, last_time;
end
$$;

comment on function app.digest_of_part is
  'Returns the number of rows of a month, a digest that changes with every value of them, and the time of the last one.';
