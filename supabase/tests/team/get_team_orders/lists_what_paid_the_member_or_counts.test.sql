begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(12);

create temporary table m as select pg_temp.sign_up() as me, pg_temp.sign_up() as neighbour;
select pg_temp.report((select me from m), 1, now() - interval '1 hour');
create temporary table n as select pg_temp.sign_up((select me::text from m)) as child,
  pg_temp.sign_up((select me::text from m)) as flagged;
create temporary table o as select pg_temp.sign_up((select child::text from n)) as grandchild;
select app.set_no_assess((select flagged from n), true, null, now());
create temporary table orders (name text, id bigint);
insert into orders
select 'direct', pg_temp.report((select child from n), 1, now() - interval '9 minutes')
union all select 'below', pg_temp.report((select grandchild from o), 2, now() - interval '8 minutes')
union all select 'not assessed', pg_temp.report((select flagged from n), 1, now() - interval '7 minutes')
union all select 'refunded', pg_temp.report((select child from n), 1, now() - interval '6 minutes')
union all select 'refunded, below', pg_temp.report((select grandchild from o), 1, now() - interval '5 minutes')
union all select 'of the neighbour', pg_temp.report((select neighbour from m), 1, now() - interval '4 minutes')
union all select 'my own', pg_temp.report((select me from m), 1, now() - interval '3 minutes')
union all select 'not settled', pg_temp.buy((select child from n), 1, now() - interval '2 minutes');
select app.refund_order(r.id, null, null, now()) from orders as r where r.name ~ '^refunded';

create function pg_temp.listed(p_uid bigint, p_limit integer default 20) returns setof text language plpgsql as $$
declare v_page jsonb; v_cursor text; v_pages integer := 0; begin
  loop
    v_page := pg_temp.read(
      p_uid, 'get_team_orders', jsonb_strip_nulls(jsonb_build_object('p_limit', p_limit, 'p_cursor', v_cursor))
    );
    return query select format(
      '%s: %s, %s points%s', r.name, l.o ->> 'commission', l.o ->> 'points',
      case when (l.o ->> 'counts')::boolean then ', counts' end
    )
      from jsonb_array_elements(v_page -> 'list') with ordinality as l (o, number)
      join orders as r on r.id = (l.o ->> 'order_id')::bigint order by l.number;
    v_cursor := v_page ->> 'next_cursor';
    v_pages := v_pages + 1;
    exit when v_cursor is null or v_pages > 40;
  end loop;
end $$;
-- The orders of the grandchild pay the child. They count for this member, who has no level and gets no points for them.
create temporary table expected (line text);
insert into expected values ('refunded: 0.00, 0 points'), ('not assessed: 1080.00, 1080 points'),
  ('below: 0.00, 0 points, counts'), ('direct: 720.00, 720 points, counts');
select results_eq(
  'select pg_temp.listed(me) from m', 'select line from expected',
  'the list has the orders that paid the member, refunded or not, and those that count for the member'
);
select results_eq('select pg_temp.listed(me, 1) from m', 'select line from expected', 'all pages have the same orders');
select results_eq(
  'select pg_temp.listed(child) from n', $$ values ('refunded, below: 0.00, 0 points'),
  ('below: 1440.00, 1440 points, counts') $$, 'a direct member has a list of their own'
);
create or replace function app.page_read_limit() returns integer language sql immutable parallel safe as 'select 1';
select results_eq(
  'select pg_temp.listed(me) from m', 'select line from expected',
  'a large team, whose pages end early, has the same orders'
);
select results_eq(
  'select pg_temp.listed(me, 1) from m', 'select line from expected', 'pages of one order have the same orders'
);
select is_empty('select pg_temp.listed(grandchild) from o', 'a member with nobody below has no orders');
select is_empty('select pg_temp.listed(neighbour) from m', 'another member has none of these orders');
create or replace function app.page_read_limit() returns integer language sql immutable parallel safe as 'select 10000';
select is_empty('select pg_temp.listed(neighbour) from m', 'another member with a small team has none of these orders');

select
  is((pg_temp.read((select me from m), 'get_team_orders') #> '{list,2}') - '{paid_at,settled_at,order_id}'::text[],
  (select jsonb_build_object(
  'uid', grandchild, 'nickname', 'Tester', 'avatar', null, 'is_direct', false, 'base', '7200.00', 'units', 2,
  'refund_status', 0, 'counts', true, 'commission', '0.00', 'points', 0
) from o), 'an order has these fields and no others');
select is(
  pg_temp.read((select me from m), 'get_team_orders') #>> '{list,3,is_direct}', 'true',
  'an order of a direct member is marked as such'
);
select pg_temp.grade((select me from m), 4);
select results_eq(
  'select pg_temp.listed(me) from m', $$ values ('refunded: 0.00, 0 points'), ('not assessed: 1080.00, 1080 points'),
  ('direct: 720.00, 720 points') $$, 'no order counts for a member at the top grade'
);
select is(
  pg_temp.read((select me from m), 'get_team_orders', '{"p_limit": 1}') ->> 'next_cursor' is not null, true,
  'there is a next page'
);

select * from finish();
rollback;
