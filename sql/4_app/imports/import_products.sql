-- Idempotent: a product that is imported already is left as it is.
create or replace function app.import_products(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_row app.staged_products;
  v_last integer;
  v_id bigint;
  v_written integer := 0;
begin
  for v_row in select s.* from app.staged_products as s where s.line > p_after order by s.line limit p_limit loop
    v_last := v_row.line;
    continue when exists (select from app.imported_products as i where i.old_id = v_row.id);
    insert into app.products (title, price, freight, is_queue_goods, is_show, stock, description, add_time, updated_at)
    values (
      v_row.title, v_row.price::numeric, coalesce(v_row.freight::numeric, 0), v_row.is_queue_goods::boolean, coalesce(v_row.is_show::boolean, true),
      v_row.stock::bigint, left(coalesce(v_row.description, ''), 20000), coalesce(app.import_time(v_row.added_at, v_zone), p_now), p_now
    )
    returning id into v_id;
    insert into app.imported_products (old_id, product_id) values (v_row.id, v_id);
    v_written := v_written + 1;
  end loop;
  update app.imports set products = products + v_written where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_products is
  'Imports the next p_limit staged products after a line and returns the last line, or null if none was left.';
