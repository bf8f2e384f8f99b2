-- Guarantee money/cart: A cart shows the store's price and stock. Its order takes the stock of all its products or
-- none, at the price the buyer agreed to
-- By: api.check_cart; one transaction, app.create_order
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(13);

create temporary table more as
with added as (
  insert into app.products (title, price, stock, is_show, is_del, images) values
    ('Off sale', 5, null, false, false, '{}'), ('Gone', 5, null, true, true, '{}'),
      ('Sold out', 5, 0, true, false, '{}'),
    ('Few', 19.90, 3, true, false, '{https://example.com/a.png, https://example.com/b.png}')
  returning id, title
)
select max(id) filter (where title = 'Off sale') as off_sale, max(id) filter (where title = 'Gone') as gone,
  max(id) filter (where title = 'Sold out') as sold_out,
  max(id) filter (where title = 'Few') as few
from added;

create function pg_temp.item(
  p_id bigint, p_quantity integer, p_more jsonb default '{}'
) returns jsonb language sql as $$
  select jsonb_build_object('product_id', p_id, 'quantity', p_quantity) || p_more
$$;
-- As a visitor, by the entry point.
create function pg_temp.check_cart(variadic p_items jsonb[]) returns jsonb language plpgsql as $$
declare
  v_answer text := pg_temp.attempt(
    'store_api',
    format(
      'select entry.check_cart(%L, %L, %L, %L)', '{"role": "anon"}', 'anon', 'request-1',
      jsonb_build_object('p_items', to_jsonb(p_items))
    )
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb else to_jsonb(v_answer) end;
end
$$;
create function pg_temp.problems(p_cart jsonb) returns text language sql as $$
  select string_agg(coalesce(l.value ->> 'problem', 'none'), ' ' order by l.ordinality)
  from jsonb_array_elements(p_cart -> 'lines') with ordinality as l
$$;

select is(
  pg_temp.check_cart(pg_temp.item(m.few, 2)) #- '{lines,0,product_id}',
  '{"lines": [{"quantity": 2, "title": "Few", "image": "https://example.com/a.png", "price": "19.90", "stock": 3, "is_queue_goods": false, "problem": null, "is_price_changed": false}], "total_price": "39.80"}',
  'a line shows the product as it is now'
) from more as m;
create temporary table cart as
select pg_temp.check_cart(
  pg_temp.item(g.tea, 9999), pg_temp.item(m.off_sale, 1), pg_temp.item(m.gone, 1), pg_temp.item(m.sold_out, 1),
  pg_temp.item(m.few, 4), pg_temp.item(900000000000001, 1), pg_temp.item(g.flagship, 1)
) as answer from goods as g, more as m;
select is(
  pg_temp.problems(answer), 'none unavailable unavailable sold_out too_few unavailable none',
  'each line says why it cannot be ordered'
)
from cart;
select is(answer #> '{lines,1,title}', 'null', 'what is not on sale has no title for visitors') from cart;
select is(answer ->> 'total_price', (9999 * 99.90 + 3600)::text, 'the total is that of what can be ordered') from cart;
select is(
  pg_temp.check_cart(pg_temp.item(g.tea, 1), pg_temp.item(g.flagship, 1, '{"is_chosen": false}')) ->> 'total_price',
  '99.90', 'and of what was chosen'
) from goods as g;
select is(
  pg_temp.check_cart(pg_temp.item(g.flagship, 1, '{"is_chosen": false}')) ->> 'total_price', '0.00',
  'of nothing, it is nothing'
)
from goods as g;
select is(
  array(
    select pg_temp.check_cart(pg_temp.item(g.tea, 1, p.price)) #>> '{lines,0,is_price_changed}'
    from goods as g,
      unnest(array['{}', '{"price": "99.90"}', '{"price": "99.9"}', '{"price": "99.91"}']::jsonb[]) as p (price)
  ),
  '{false, false, false, true}', 'another price than the one that was seen is said, an equal one is not'
);
select is(
  pg_temp.check_cart(pg_temp.item(g.tea, 1), pg_temp.item(g.tea, 1)), '"PT422 invalid_argument"',
  'a product twice is rejected'
)
from goods as g;
select is(pg_temp.check_cart(variadic array[]::jsonb[]), '"PT422 invalid_argument"', 'an empty cart is rejected');
select is(
  pg_temp.check_cart(
    variadic array(select pg_temp.item(900000 + i, 1) from generate_series(1, 50) as i)
  ) #>> '{lines,49,problem}' is not null,
  true, 'fifty products are accepted'
);
select is(
  pg_temp.check_cart(variadic array(select pg_temp.item(900000 + i, 1) from generate_series(1, 51) as i)),
  '"PT422 invalid_argument"', 'more are not'
);
select is(
  array(
    select distinct pg_temp.check_cart(i) #>> '{}' from goods as g, unnest(array[
      pg_temp.item(g.tea, 0), pg_temp.item(g.tea, 10000), '{"product_id": "x", "quantity": 1}', '{"quantity": 1}', '[]',
      '1', 'null', pg_temp.item(g.tea, 1, '{"price": "free"}'),
      pg_temp.item(g.tea, 1, '{"price": -1}'), pg_temp.item(g.tea, 1, '{"is_chosen": "yes"}'),
      pg_temp.item(g.tea, 1, '{"is_chosen": 1}')
    ]) as i
  ),
  '{PT422 invalid_argument}', 'what is no item is rejected'
);
select is((select count(*) from app.orders), 0::bigint, 'nothing is ordered');

select * from finish();
rollback;
