begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(14);

create temporary table a as select pg_temp.administrator() as id;
delete from app.product_categories;
create function pg_temp.act(p_function text, p_args jsonb default '{}') returns text language sql as $$
  select pg_temp.call(a.id, p_function, p_args) from a
$$;
create function pg_temp.listed() returns text language sql as $$
  select coalesce(string_agg(l.value ->> 'title', ' ' order by l.ordinality), 'none')
  from jsonb_array_elements(pg_temp.act('admin_get_product_categories')::jsonb -> 'list') with ordinality as l
$$;
-- As a visitor sees them.
create function pg_temp.shown() returns text language sql as $$
  select jsonb_path_query_array(
    pg_temp.attempt(
      'store_api', format('select entry.get_first_page(%L, %L, %L, %L)', '{"role": "anon"}', 'anon', 'request-1', '{}')
    )::jsonb,
    '$.categories[*].title'
  )::text
$$;
create temporary table c as
select (pg_temp.act('create_product_category', jsonb_build_object('p_title', t))::jsonb ->> 'id')::bigint as id,
  t as title
from unnest('{Tea,Cups,Books}'::text[]) with ordinality as u (t, n) order by n;
create function pg_temp.ids(p_titles text[]) returns jsonb language sql as $$
  select jsonb_build_object('p_ids', jsonb_agg(c.id order by u.n)) from unnest(p_titles) with ordinality as u (t, n)
  join c on c.title = u.t
$$;

select is(pg_temp.listed(), 'Tea Cups Books', 'a new category comes last');
select is(
  pg_temp.act('sort_product_categories', pg_temp.ids('{Books,Tea,Cups}')) is not null
  and pg_temp.listed() = 'Books Tea Cups',
  true, 'they are sorted'
);
select is(
  pg_temp.act('sort_product_categories', pg_temp.ids('{Tea,Cups}')), 'PT409 changed_meanwhile',
  'a sequence without all of them is rejected'
);
select is(
  pg_temp.act('sort_product_categories', '{"p_ids": [1, 1]}')
  || pg_temp.act('sort_product_categories', '{"p_ids": "x"}'),
  'PT422 invalid_argumentPT422 invalid_argument', 'and what is none'
);
select is(pg_temp.shown(), '[]', 'visitors see no category without products');

select pg_temp.act('set_product', jsonb_build_object('p_id', g.tea, 'p_category_id', c.id)) from goods as g, c
where c.title = 'Tea';
select pg_temp.act('set_product', jsonb_build_object('p_id', g.flagship, 'p_category_id', c.id)) from goods as g, c
where c.title = 'Books';
select is(pg_temp.shown(), '["Books", "Tea"]', 'but those with products, in their sequence');
select is(
  (
    select string_agg(p.value ->> 'title', ' ')
    from c,
      jsonb_array_elements(
        pg_temp.act('admin_get_products', jsonb_build_object('p_category_id', c.id))::jsonb -> 'list'
      ) as p
    where c.title = 'Tea'
  ),
  'Tea', 'the list of products is filtered by category'
);
update app.products set is_show = false where id = (select tea from goods);
select is(pg_temp.shown(), '["Books"]', 'products off sale do not count');
select is(
  pg_temp.act('delete_product_category', jsonb_build_object('p_id', c.id)), 'PT409 product_category_in_use',
  'a category with products is not deleted'
)
from c where c.title = 'Tea';
select pg_temp.act('set_product', jsonb_build_object('p_id', g.tea, 'p_has_no_category', true)) from goods as g;
select is(
  pg_temp.act('delete_product_category', jsonb_build_object('p_id', c.id)) is not null
  and pg_temp.listed() = 'Books Cups',
  true, 'an empty one is'
)
from c where c.title = 'Tea';
select is(
  array[pg_temp.act('set_product', jsonb_build_object('p_id', g.tea, 'p_category_id', c.id)), pg_temp.act(
    'create_product', jsonb_build_object('p_title', 'X', 'p_price', 1, 'p_category_id', c.id)
  ),
    pg_temp.act('set_product_category', jsonb_build_object('p_id', c.id, 'p_title', 'X')),
    pg_temp.act('delete_product_category', jsonb_build_object('p_id', c.id))],
  array_fill('PT404 product_category_not_found'::text, array[4]), 'and takes no products any more'
) from goods as g, c where c.title = 'Tea';
select is(
  pg_temp.act('set_product_category', jsonb_build_object('p_id', c.id, 'p_title', 'Mugs'))::jsonb ->> 'title', 'Mugs',
  'a category is renamed'
)
from c where c.title = 'Cups';
select is(
  pg_temp.act('create_product_category', '{"p_title": " "}'), 'PT422 invalid_argument', 'a category has a visible title'
);
insert into app.product_categories (title, rank) select 'More ' || g, 10 + g from generate_series(1, 98) as g;
select is(
  pg_temp.act('create_product_category', '{"p_title": "One more"}'), 'PT422 invalid_argument',
  'there are at most a hundred'
);

select * from finish();
rollback;
