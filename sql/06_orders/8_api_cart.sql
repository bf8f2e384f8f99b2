-- The cart, which clients keep (decision 0102): what of it can be ordered, and at which price.

create or replace function app.require_cart(p_items jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_items(p_items);
  if exists (
    select from jsonb_array_elements(p_items) as i (value)
    where coalesce(i.value ->> 'price', '0') !~ '^[0-9]{1,9}([.][0-9]{1,2})?$'
      or coalesce(jsonb_typeof(i.value -> 'is_chosen'), 'boolean') <> 'boolean'
  ) then
    perform app.fail('invalid_argument', 'The price of an item in a cart is an amount such as 19.90, and is_chosen is true or false.', '/items');
  elsif (select count(distinct (i.value ->> 'product_id')::bigint) < count(*) from jsonb_array_elements(p_items) as i (value)) then
    perform app.fail('invalid_argument', 'A cart has each product once.', '/items');
  end if;
end
$$;

comment on function app.require_cart is
  'Raises invalid_argument unless a value is a list of 1 to 50 different products: [{"product_id", "quantity", "price", "is_chosen"}].';

grant execute on function app.require_cart(jsonb) to anon, authenticated, store_admin;

create or replace function api.check_cart(p_items jsonb)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_cart(p_items);
  return (
    with items as (
      select (i.value ->> 'product_id')::bigint as product_id, (i.value ->> 'quantity')::integer as quantity, (i.value ->> 'price')::numeric as seen,
        coalesce((i.value ->> 'is_chosen')::boolean, true) as is_chosen, i.place
      from jsonb_array_elements(p_items) with ordinality as i (value, place)
    ), lines as (
      select i.*, p.title, p.price, p.stock, p.images[1] as image, p.is_queue_goods,
        case when p.id is null then 'unavailable' when p.stock = 0 then 'sold_out' when p.stock < i.quantity then 'too_few' end as problem
      from items as i left join app.products_on_sale(null, null) as p on p.id = i.product_id
    )
    select jsonb_build_object(
      'lines', jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'quantity', l.quantity, 'title', l.title, 'image', l.image, 'price', l.price::text, 'stock', l.stock,
        'is_queue_goods', l.is_queue_goods, 'problem', l.problem, 'is_price_changed', coalesce(l.seen <> l.price, false)
      ) order by l.place),
      'total_price', coalesce(sum(l.price * l.quantity) filter (where l.is_chosen and l.problem is null), 0.00)::text
    )
    from lines as l
  );
end
$$;

comment on function api.check_cart is
  'Returns for each item of a cart the product as it is now, why it cannot be ordered, if so, and whether its price is another one than price, which the buyer has seen; and what '
  'the chosen items that can be ordered cost without freight. Serves POST /api/cart.';

grant execute on function api.check_cart(jsonb) to anon, authenticated, store_admin;
