begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(13);

create temporary table a as select pg_temp.administrator() as id, pg_temp.administrator() as other;
create function pg_temp.save(p_id uuid, p_page text, p_views jsonb) returns text language sql as $$
  select pg_temp.call(p_id, 'set_own_views', jsonb_build_object('p_page', p_page, 'p_views', p_views))
$$;
create function pg_temp.saved(p_id uuid, p_page text) returns text language sql as $$
  select pg_temp.call(p_id, 'get_own_views', jsonb_build_object('p_page', p_page))
$$;

select is(pg_temp.saved(a.id, 'orders')::jsonb, '{"views": []}', 'at first there are no views') from a;
select is(
  pg_temp.save(
    a.id, 'orders', '[{"name": "To refund", "query": "refund_status=1"}, {"name": "Paid", "query": "state=paid"}]'
  )::jsonb,
  '{"views": [{"name": "To refund", "query": "refund_status=1"}, {"name": "Paid", "query": "state=paid"}]}',
  'views are saved in their order'
) from a;
select is(pg_temp.saved(a.id, 'orders')::jsonb -> 'views' -> 1 ->> 'name', 'Paid', 'and found again') from a;
select is(pg_temp.saved(a.id, 'bill')::jsonb, '{"views": []}', 'on their list only') from a;
select is(pg_temp.saved(a.other, 'orders')::jsonb, '{"views": []}', 'by their administrator only') from a;
select is(
  (select array[l.from_value, l.to_value] from app.admin_actions as l where l.function = 'set_own_views'),
  array['{"page": null, "saved_views": null}', '{"page": "orders", "saved_views": 2}']::jsonb[],
  'the log has their number, not their texts'
);
select pg_temp.save(a.id, 'orders', '[{"name": "Paid", "query": "state=paid"}]') from a;
select is(
  pg_temp.saved(a.id, 'orders')::jsonb, '{"views": [{"name": "Paid", "query": "state=paid"}]}',
  'a view that is left out is deleted'
)
from a;
select is(pg_temp.save(a.id, 'orders', v.views), 'PT422 invalid_argument', v.name) from a, (values
  ('[{"name": "a", "query": "b"}, {"name": "a", "query": "c"}]'::jsonb, 'two views of one name are refused'),
  (
    (
      select jsonb_agg(jsonb_build_object('name', 'View ' || n, 'query', 'a=b') order by n)
      from generate_series(1, 21) as n
    ),
    'more than 20 views are refused'
  ),
  (jsonb_build_array(jsonb_build_object('name', 'Long', 'query', repeat('a', 1001))), 'a long query is refused'),
  ('[{"name": "Tab\t", "query": "a=b"}]', 'a name with a control character is refused'),
  ('{"name": "a", "query": "b"}', 'what is no list is refused')
) as v (views, name);
select is(pg_temp.save(a.id, 'everything', '[]'), 'PT422 invalid_argument', 'an unknown list is refused') from a;

select * from finish();
rollback;
