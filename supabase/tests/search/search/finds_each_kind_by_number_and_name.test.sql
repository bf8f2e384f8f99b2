begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(20);

create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.found(p_text text, p_path jsonpath) returns text language sql as $$
  select jsonb_path_query_array(pg_temp.call(a.id, 'search', jsonb_build_object('p_text', p_text))::jsonb, p_path)::text
  from admins as a
$$;

create temporary table m as select pg_temp.sign_up() as zhang, pg_temp.sign_up() as anna, pg_temp.sign_up() as other;
update app.users as u set nickname = case u.uid when m.zhang then '张伟明' when m.anna then 'Anna-50% _x' else 'Xu An' end
from m where u.uid in (m.zhang, m.anna, m.other);
create temporary table o as select pg_temp.buy(m.zhang) as id from m;
select from app.deliver_order((select id from o), now(), 'SF', 'SF-770077');
create temporary table n as select w.order_no from app.orders as w join o on o.id = w.id;

select is(pg_temp.found('张伟', '$.members[*].uid'), format('[%s]', zhang), 'a member by two Chinese characters') from m;
select is(pg_temp.found('张', '$.members[*].uid'), '[]', 'but not by one');
select is(pg_temp.found('伟明', '$.members[*].uid'), '[]', 'nor by the end of the name');
select is(
  pg_temp.found('  aN ', '$.members[*].uid'), format('[%s]', anna),
  'case and spaces around do not matter; only names that begin so'
)
from m;
select is(pg_temp.found(zhang::text, '$.members[*].nickname'), '["张伟明"]', 'a member by number') from m;
select is(pg_temp.found('%n', '$.members[*].uid'), '[]', 'a percent sign is a percent sign');
select is(pg_temp.found('Ann_', '$.members[*].uid'), '[]', 'an underscore is an underscore');
select is(pg_temp.found('anna-50% _', '$.members[*].uid'), format('[%s]', anna), 'both are found where they stand')
from m;
select is(pg_temp.found(order_no, '$.orders[*].order_no'), format('["%s"]', order_no), 'an order by its whole number')
from n;
select ok(pg_temp.found(right(order_no, 6), '$.orders[*].id')::jsonb @> to_jsonb(o.id), 'by its last six digits')
from n, o;
select is(pg_temp.found(right(order_no, 3), '$.orders[*].order_no'), '[]', 'not by its last three') from n;
select ok(pg_temp.found(id::text, '$.orders[0].id')::jsonb = jsonb_build_array(id), 'first of all by its id') from o;
select is(pg_temp.found('SF-770077', '$.orders[*].id'), format('[%s]', id), 'by its tracking number') from o;
select is(pg_temp.found('SF-77007', '$.orders[*].id'), '[]', 'the whole of it');
select is(pg_temp.found('SF-77007_', '$.orders[*].id'), '[]', 'without wildcards');

insert into app.products (title, price, is_show) values ('焕颜 面霜 50%', 1, true), ('Old tea', 1, false),
  ('Gone tea', 1, true);
update app.products set is_del = true where title = 'Gone tea';
select is(
  pg_temp.found('TEA', '$.products[*].title'), '["Tea", "Old tea"]',
  'products by a part of the name, those that begin with it first, without deleted ones'
);
select is(pg_temp.found('面霜', '$.products[*].title'), '["焕颜 面霜 50%"]', 'also by Chinese');
select is(pg_temp.found('50_', '$.products[*].title'), '[]', 'without wildcards');

-- More than five.
insert into app.users (nickname) select 'Many ' || g from generate_series(1, 9) as g;
select is(pg_temp.found('many', '$.members.size()'), '[5]', 'at most five of a kind');
select is(
  array(
    select pg_temp.call(a.id, 'search', jsonb_build_object('p_text', t))
    from admins as a, unnest(array['', '   ', repeat('x', 65), E'a\nb', E'a\u202eb']) as t
  ),
  array_fill('PT422 invalid_argument'::text, array[5]), 'nothing, too much and what is no line are refused'
);

select * from finish();
rollback;
