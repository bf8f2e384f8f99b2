begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(14);

create temporary table a as select pg_temp.administrator() as id;
delete from app.product_categories;
create function pg_temp.set_page(p_banners jsonb, p_featured jsonb) returns text language sql as $$
  select pg_temp.call(a.id, 'set_first_page', jsonb_build_object('p_banners', p_banners, 'p_featured', p_featured))
  from a
$$;
create function pg_temp.banner(p_title text, p_product_id bigint) returns jsonb language sql as $$
  select jsonb_build_object(
    'image', 'https://example.com/' || p_title || '.png', 'title', p_title, 'product_id', p_product_id
  )
$$;
-- What a visitor sees.
create function pg_temp.shown(p_path jsonpath) returns text language sql as $$
  select jsonb_path_query_array(
    pg_temp.attempt(
      'store_api', format('select entry.get_first_page(%L, %L, %L, %L)', '{"role": "anon"}', 'anon', 'request-1', '{}')
    )::jsonb,
    p_path
  )::text
$$;
create function pg_temp.refusals(p_banners jsonb[], p_featured jsonb[]) returns text[] language sql as $$
  select array_agg(distinct left(pg_temp.set_page(b, f), 30)) from unnest(p_banners) as b, unnest(p_featured) as f
$$;

select is(pg_temp.shown('$.*[*]'), '[]', 'a new store shows nothing');
select is(
  pg_temp.set_page(
    jsonb_build_array(pg_temp.banner('tea', g.tea), pg_temp.banner('sale', null)), jsonb_build_array(g.tea, g.flagship)
  )::jsonb -> 'featured',
  jsonb_build_array(
    jsonb_build_object('id', g.tea, 'title', 'Tea', 'image', null, 'is_show', true),
    jsonb_build_object('id', g.flagship, 'title', 'Flagship', 'image', null, 'is_show', true)
  ),
  'an administrator sets the page and gets it'
) from goods as g;
select is(pg_temp.shown('$.banners[*].title'), '["tea", "sale"]', 'visitors see the banners in their sequence');
select is(pg_temp.shown('$.featured[*].title'), '["Tea", "Flagship"]', 'and the featured products in theirs');
update app.products set is_show = false where id = (select tea from goods);
select is(
  pg_temp.shown('$.banners[*].title') || pg_temp.shown('$.featured[*].title'), '["sale"]["Flagship"]',
  'without products off sale, and banners of them'
);
select is(
  pg_temp.call(a.id, 'admin_get_first_page')::jsonb #>> '{featured,0,is_show}', 'false',
  'which administrators still see'
)
from a;
update app.products set is_show = true where id = (select tea from goods);
select is(
  (
    select jsonb_build_array(x.from_value, x.to_value) from app.admin_actions as x where x.function = 'set_first_page'
    order by x.id desc limit 1
  ),
  jsonb_build_array(
    '{"featured": []}'::jsonb,
    jsonb_build_object('banners', 'changed', 'featured', jsonb_build_array(g.tea, g.flagship))
  ),
  'the log keeps ids and no texts'
) from goods as g;

select pg_temp.set_page(jsonb_build_array(pg_temp.banner('sale', null)), jsonb_build_array(g.flagship, g.tea))
from goods as g;
select is(
  pg_temp.shown('$.banners[*].title') || pg_temp.shown('$.featured[*].title'), '["sale"]["Flagship", "Tea"]',
  'a new page replaces the old one'
);
select is(
  pg_temp.refusals(array['[]']::jsonb[], array['[900000000000001]']::jsonb[]), '{PT404 product_not_found}',
  'an unknown product is rejected'
);
update app.products set is_del = true where id = (select gift from goods);
select is(
  pg_temp.refusals(array[jsonb_build_array(pg_temp.banner('gift', g.gift))], array['[]']::jsonb[]),
  '{PT404 product_not_found}', 'and a deleted one, in a banner, too'
)
from goods as g;
select is(
  pg_temp.refusals(array['null', '{}', '["x"]', '[{"image": "https://example.com/a.png"}]',
  '[{"image": 1, "title": "x"}]', '[{"image": "javascript:alert(1)", "title": "x"}]',
    '[{"image": "https://example.com/a.png", "title": " "}]',
    '[{"image": "https://example.com/a.png", "title": "x", "product_id": "tea"}]']::jsonb[],
    array['[]']::jsonb[]),
  '{PT422 invalid_argument}', 'what is no banner is rejected'
);
select is(
  pg_temp.refusals(
    array['[]']::jsonb[],
    array['null', '{}', '[1.5]', '[-1]', '["x"]', '[null]']::jsonb[] || jsonb_build_array(g.tea, g.tea)
    || (select jsonb_agg(i) from generate_series(1, 21) as i)
  ),
  '{PT422 invalid_argument}', 'and what are no ids, one id twice, and too many'
) from goods as g;
select is(
  pg_temp.refusals(
    array[(select jsonb_agg(pg_temp.banner('x', null)) from generate_series(1, 11))], array['[]']::jsonb[]
  ),
  '{PT422 invalid_argument}', 'and eleven banners'
);
select is(
  pg_temp.shown('$.banners[*].title') || pg_temp.shown('$.featured[*].title'), '["sale"]["Flagship", "Tea"]',
  'what is rejected changes nothing'
);

select * from finish();
rollback;
