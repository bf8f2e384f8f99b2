begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(7);

create temporary table admins as select pg_temp.administrator() as id;
create temporary table m as select pg_temp.sign_up() as uid;
-- In the sequence of their ids, two of them paid at the same time, and one that nobody has paid.
create temporary table o as
select row_number() over (order by b.id) as n, b.id from m cross join lateral (
  select pg_temp.buy(m.uid, 1, '2026-11-01Z'::timestamptz + t.hours * interval '1 hour') as id
  from unnest('{3, 1, 2, 2}'::integer[]) as t (hours)
  union all
  select (
    app.create_order(
      m.uid, (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)) from goods as g),
      '2026-11-01Z'
    )
  ).id
) as b;

create function pg_temp.page(p_args jsonb) returns jsonb language sql as $$
  select case when c like '{%' then c::jsonb else jsonb_build_object('error', c) end
  from (
    select pg_temp.call(a.id, 'admin_get_orders', jsonb_build_object('p_uid', m.uid) || p_args) as c from admins as a, m
  ) as s
$$;
-- The orders of the pages of two that follow each other, and how many there are.
create function pg_temp.listed(p_sort text) returns text language plpgsql as $$
declare
  v_page jsonb;
  v_cursor text;
  v_listed text := '';
begin
  loop
    v_page := pg_temp.page(jsonb_build_object('p_sort', p_sort, 'p_limit', 2, 'p_cursor', v_cursor));
    v_listed := v_listed || coalesce((
      select string_agg(o.n::text, '' order by l.place)
      from jsonb_array_elements(v_page -> 'list') with ordinality as l (e, place)
      join o on o.id = (l.e ->> 'id')::bigint
    ), '') || '/';
    v_cursor := v_page ->> 'next_cursor';
    if v_cursor is null then
      return v_listed || coalesce(v_page ->> 'count', v_page::text);
    end if;
  end loop;
end
$$;

select is(pg_temp.listed('-id'), '54/32/1/5', 'newest first');
select is(pg_temp.listed('id'), '12/34/5/5', 'oldest first');
select is(
  pg_temp.listed('paid_at'), '23/41//4',
  'by time of payment, without the order that is not paid; those of the same time by id'
);
select is(pg_temp.listed('-paid_at'), '14/32//4', 'and the last payment first');
select is(
  (select string_agg(o.n::text, '' order by l.place)
    from jsonb_array_elements(
      pg_temp.page('{"p_sort": "paid_at", "p_limit": 2, "p_page": 2}') -> 'list'
    ) with ordinality as l (e, place)
   join o on o.id = (l.e ->> 'id')::bigint), '41', 'pages are numbered in every sequence'
);
select is(
  pg_temp.page('{"p_sort": "paid_at", "p_state": "unpaid"}') ->> 'count', '0', 'what is left out is not counted'
);
select is(
  array(
    select pg_temp.page(jsonb_build_object('p_sort', s)) ->> 'error'
    from unnest(array['pay_price', '', null, 'id desc']) as s
  ),
  array_fill('PT422 invalid_argument'::text, array[4]), 'only what has an index is sorted by'
);

select * from finish();
rollback;
