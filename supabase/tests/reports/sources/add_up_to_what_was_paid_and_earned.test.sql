begin;
\ir ../../support/fixture.psql
\ir ../../support/reports.psql
select plan(9);

select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);
create function pg_temp.march(p_what text, p_sort text default '-revenue') returns jsonb language plpgsql as $$
begin
  return case p_what
    when 'products' then api.get_report_products('2020-03-01 00:00:00+08', '2020-04-01 00:00:00+08', p_sort)
    when 'members' then api.get_report_members('2020-03-01 00:00:00+08', '2020-04-01 00:00:00+08', p_sort)
    else api.get_report_levels('2020-03-01 00:00:00+08', '2020-04-01 00:00:00+08')
  end;
end
$$;

select is(pg_temp.march('products') -> 'list' @> (
  select jsonb_build_array(
    jsonb_build_object(
      'product_id', g.flagship, 'orders', 2, 'units', 2, 'units_refunded', 0, 'paid', '7200.00', 'refunded', '0.00',
      'revenue', '7200.00'
    ),
    jsonb_build_object(
      'product_id', g.tea, 'orders', 1, 'units', 2, 'units_refunded', 1, 'paid', '199.80', 'refunded', '99.90',
      'revenue', '99.90'
    )
  ) from goods as g
), true, 'units and money of each product, by the time of payment and of the refund');
select is(pg_temp.march('products') ->> 'count', '2', 'of no other product');
select is(
  (
    select sum((p ->> 'paid')::numeric) from jsonb_array_elements(pg_temp.march('products') -> 'list') as p
  ) + (pg_temp.march('products') ->> 'freight')::numeric,
  (select sum(d.paid) from app.report_days('2020-03-01', '2020-03-31') as d),
  'products and freight add up to what was paid');
select is(
  (pg_temp.march('products', 'revenue') #>> '{list,0,product_id}')::bigint, (select tea from goods), 'the least first'
);
select is(pg_temp.march('members') -> 'list', (
  select jsonb_build_array(jsonb_build_object(
    'uid', p.rita, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', l.name, 'orders', 1,
    'paid', '3815.80', 'refunded', '99.90', 'revenue', '3715.90',
    'commission', '720.00', 'points_frozen', 720
  )) from people as p join app.users as u on u.uid = p.rita join app.agent_levels as l on l.grade = u.agent_level
), 'who sold to direct members, and earned');
select is((
  select (jsonb_agg(l order by l ->> 'agent_level') -> 0) - 'agent_level_name'
  from jsonb_array_elements(pg_temp.march('levels') -> 'list') as l where (l ->> 'orders')::integer > 0
),
'{"agent_level": 0, "members": 1, "orders": 2, "paid": "7415.80", "refunded": "99.90", "revenue": "7315.90", "commission": "720.00", "points_frozen": 720}',
  'by level: what its members bought and earned, and who joined');

select throws_ok(
  $$ select api.get_report_members('2020-01-01', '2020-06-01') $$, 'PT422', 'invalid_argument',
  'more than 93 days are rejected'
);
select throws_ok(
  $$ select api.get_report_levels('2020-06-01', '2020-06-01') $$, 'PT422', 'invalid_argument',
  'an empty period is rejected'
);
select set_config(
  'request.jwt.claims',
  jsonb_build_object(
    'sub', (select u.auth_id from app.users as u join people as p on p.rita = u.uid), 'role', 'store_admin'
  )::text,
  true
);
select throws_ok($$ select pg_temp.march('members') $$, 'PT403', 'forbidden', 'only administrators see who sold most');

select * from finish();
rollback;
