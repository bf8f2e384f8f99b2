-- Finding products by a part of their title.

create or replace function app.text_parts(p_text text)
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select distinct substr(t.text, n.place, l.length) as part
    from (select lower(p_text) as text) as t
    cross join (values (1), (2)) as l (length)
    cross join lateral generate_series(1, char_length(t.text) - l.length + 1) as n (place)
    order by part
  )
$$;

comment on function app.text_parts is
  'Returns the characters of a text and its pairs of neighbouring characters, in lower case (decision 0103).';

create index products_text_parts_idx on app.products using gin (app.text_parts(title)) where not is_del;

-- Security definer: with row-level security, the index would not be used, because its operator is not leakproof.
-- Callers read the products with their own rights.
create or replace function app.find_products(p_text text)
returns bigint[]
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case
    -- No title is as long.
    when char_length(p_text) > 200 then '{}'
    when p_text is not null then array(
      select p.id from app.products as p
      -- The parts may stand elsewhere in the title.
      where not p.is_del and app.text_parts(p.title) @> app.text_parts(p_text)
        and position(lower(p_text) in lower(p.title)) > 0
      order by p.id
    )
  end
$$;

comment on function app.find_products is
  'Returns the ids of the products that have a text in their title, ignoring case, on sale or not. Null gives null.';

grant execute on function app.find_products(text) to anon, authenticated, store_admin;

create or replace function app.products_on_sale(p_found bigint[], p_category_id bigint)
returns setof app.products
language sql
stable
as $$
  select p.* from app.products as p
  where p.is_show and not p.is_del and (p_found is null or p.id = any (p_found))
    and (p_category_id is null or p.category_id = p_category_id)
$$;

comment on function app.products_on_sale is
  'Returns the products on sale, of p_found (null: all) and of a category (null: any).';

grant execute on function app.products_on_sale(bigint[], bigint) to anon, authenticated, store_admin;
