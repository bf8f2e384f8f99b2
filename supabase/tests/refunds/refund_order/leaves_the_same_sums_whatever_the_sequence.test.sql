begin;
\ir ../../support/fixture.psql
select plan(3);

-- Pairs of equal orders: flagships with a discount, and teas. Between two concessions, one order of a pair has its
-- units refunded one by one, flagships first, and the other all at once or teas first; concessions of the same moment
-- come in the other sequence. The generator gives every run the same pairs.
create temporary table pairs (n integer, side text, referrer bigint, id bigint);
create function pg_temp.refund(p_order_id bigint, p_line bigint, p_item jsonb) returns void language sql as $$
  select app.refund_order(
    p_order_id, jsonb_build_array(jsonb_build_object('line_id', p_line) || p_item), null, now(), p_freight => 0
  )
$$;
create function pg_temp.refund_units(
  p_order_id bigint, p_lines bigint[], p_units integer[], p_is_one_by_one boolean
) returns void language plpgsql as $$
begin
  if not p_is_one_by_one and p_units[1] > 0 and p_units[2] > 0 then
    perform app.refund_order(p_order_id, jsonb_build_array(
      jsonb_build_object('line_id', p_lines[2], 'quantity', p_units[2]),
      jsonb_build_object('line_id', p_lines[1], 'quantity', p_units[1])
    ), null, now(), p_freight => 0);
    return;
  end if;
  for v_line in 1..2 loop
    for v_unit in 1..p_units[v_line] loop
      perform pg_temp.refund(p_order_id, p_lines[v_line], '{"quantity": 1}');
    end loop;
  end loop;
end
$$;
create function pg_temp.concede(
  p_order_id bigint, p_lines bigint[], p_amounts numeric[], p_is_first boolean
) returns void language plpgsql as $$
begin
  if p_is_first then
    perform pg_temp.refund(p_order_id, p_lines[1], jsonb_build_object('amount', p_amounts[1]));
    perform pg_temp.refund(p_order_id, p_lines[2], jsonb_build_object('amount', p_amounts[2]));
    perform pg_temp.refund(p_order_id, p_lines[1], jsonb_build_object('amount', p_amounts[3]));
  else
    perform pg_temp.refund(p_order_id, p_lines[1], jsonb_build_object('amount', p_amounts[3]));
    perform pg_temp.refund(p_order_id, p_lines[1], jsonb_build_object('amount', p_amounts[1]));
    perform pg_temp.refund(p_order_id, p_lines[2], jsonb_build_object('amount', p_amounts[2]));
  end if;
end
$$;
create function pg_temp.play(
  p_n integer, p_side text, p_units integer[], p_discount numeric, p_steps jsonb
) returns void language plpgsql as $$
declare
  v_referrer bigint := pg_temp.reporter();
  v_order bigint;
  v_lines bigint[];
  v_step jsonb;
begin
  v_order := (app.create_order(pg_temp.sign_up(v_referrer::text), (
    select jsonb_build_array(
      jsonb_build_object('product_id', g.flagship, 'quantity', p_units[1], 'discount', p_discount::text),
      jsonb_build_object('product_id', g.tea, 'quantity', p_units[2])
    ) from goods as g
  ), now())).id;
  perform app.pay_order(v_order, 'test', format('pair %s %s', p_n, p_side), now());
  perform app.settle_order(v_order, now());
  v_lines := array(select l.id from app.order_lines as l where l.order_id = v_order order by l.id);
  for v_step in select s.value from jsonb_array_elements(p_steps) with ordinality as s order by s.ordinality loop
    perform pg_temp.refund_units(
      v_order, v_lines, array[(v_step ->> 'flagships')::integer, (v_step ->> 'teas')::integer], p_side = 'one'
    );
    perform pg_temp.concede(
      v_order, v_lines,
      array[(v_step ->> 'first')::numeric, (v_step ->> 'second')::numeric, (v_step ->> 'third')::numeric],
      p_side = 'one'
    );
  end loop;
  insert into pairs values (p_n, p_side, v_referrer, v_order);
end
$$;
create function pg_temp.play_pairs() returns void language plpgsql as $$
declare
  v_units integer[];
  v_discount numeric;
  v_steps jsonb;
begin
  perform setseed(0.42);
  for v_pair in 1..12 loop
    v_units := array[5 + floor(random() * 6)::integer, 5 + floor(random() * 6)::integer];
    v_discount := round((random() * 3000)::numeric, 2);
    -- Units stay after each step, and what is conceded is less than one of them cost.
    v_steps := (
      select jsonb_agg(jsonb_build_object(
        'flagships', floor(random() * 3)::integer, 'teas', floor(random() * 3)::integer,
        'first', round((0.01 + random() * 40)::numeric, 2), 'second', round((0.01 + random() * 8)::numeric, 2), 'third',
        round((0.01 + random() * 7)::numeric, 2)
      ))
      from generate_series(1, 2)
    );
    perform pg_temp.play(v_pair, 'one', v_units, v_discount, v_steps);
    perform pg_temp.play(v_pair, 'other', v_units, v_discount, v_steps);
  end loop;
end
$$;
select pg_temp.play_pairs();
create function pg_temp.state_of(p_side text) returns table (n integer, state text) language sql as $$
  select p.n,
    concat_ws(
      ' ', o.queue_base, o.queue_units, o.refund_status, b.brokerage_price, b.frozen_points,
      (select sum(r.amount) from app.refunds as r where r.order_id = o.id)
    )
  from pairs as p join app.orders as o using (id) join app.user_balances as b on b.uid = p.referrer
  where p.side = p_side
$$;
select is(
  (select count(distinct s.state) from pg_temp.state_of('one') as s), 12::bigint, 'the pairs differ from each other'
);
select results_eq(
  $$ select * from pg_temp.state_of('one') order by n $$, $$ select * from pg_temp.state_of('other')
  order by n $$, 'both orders of a pair have the same left, and paid the same back'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
