-- Guarantee money/refund-everything
begin;
\ir ../support/fixture.psql
select plan(7);

create function pg_temp.left_of(
  p_paid numeric, p_quantity integer, p_units integer, p_concessions text
) returns numeric language sql as $$
  select app.line_left(p_paid, p_quantity, p_quantity - p_units, p_concessions::app.concession[])
$$;

-- By hand: 3 units for 10800.00; 100.00 of all three, then 50.00 of the two that are left.
select is(pg_temp.left_of(c.paid, c.quantity, c.units, c.concessions), c.amount, c.sentence) from (values
  (10800.00, 3, 2, null, 7200.00, 'without concessions, what is left is as ever'),
  (10800.00, 3, 3, '{"(100.00,3)"}', 10700.00, 'a concession lessens what is left by its amount'),
  (10800.00, 3, 2, '{"(100.00,3)"}', 7133.33, 'a refunded unit takes its share of it away'),
  (10800.00, 3, 1, '{"(100.00,3)","(50.00,2)"}', 3541.66, 'a unit: 3600 - 33.333... - 25, rounded once'),
  (
    0.05, 7, 3, '{"(0.01,7)","(0.01,3)"}', 0.00,
    'three sevenths of four cents are 1.7 cents, of which the second concession takes one'
  )
) as c (paid, quantity, units, concessions, amount, sentence);

-- Random histories of a line, with a generator of its own, so that every run has the same ones.
create function pg_temp.histories() returns table (
  paid numeric, quantity integer, units integer, concessions app.concession[]
) language plpgsql as $$
declare
  v_left numeric;
begin
  perform setseed(0.37);
  for v_history in 1..400 loop
    quantity := 1 + floor(random() * case v_history % 3 when 0 then 9998 when 1 then 30 else 7 end);
    paid := round((random() * 10 ^ (v_history % 11))::numeric, 2);
    units := quantity;
    concessions := '{}';
    for v_step in 1..floor(random() * 9)::integer loop
      v_left := app.line_left(paid, quantity, quantity - units, nullif(concessions, '{}'));
      if random() < 0.4 and units > 1 then
        units := units - 1 - floor(random() * (units - 1))::integer;
        units := greatest(units, 1);
      elsif v_left >= 0.01 then
        concessions := concessions
        || (least(round((0.01 + random() * (v_left - 0.01)::float8)::numeric, 2), v_left), units)::app.concession;
      end if;
    end loop;
    units := floor(random() * (units + 1));
    return next;
  end loop;
end
$$;
create temporary table h as select row_number() over () as n, t.* from pg_temp.histories() as t;

-- With 60 decimals, a quotient is wrong only far behind the cents; a hair more than it makes up for that.
select is_empty($$
  select h.*, app.line_left(h.paid, h.quantity, h.quantity - h.units, nullif(h.concessions, '{}'))
  from h
  cross join lateral (
    select h.units * (
      h.paid * (1 + 0 * 1e-60) / h.quantity - coalesce(
        (select sum(c.amount * (1 + 0 * 1e-60) / c.units) from unnest(h.concessions) as c), 0
      )
    ) as exact
  ) as x
  where app.line_left(
    h.paid, h.quantity, h.quantity - h.units, nullif(h.concessions, '{}')
  ) is distinct from trunc(x.exact + 1e-40, 2)
$$, 'every history leaves units times (price of a unit - share of each concession), rounded down once');
select is_empty($$
  select h.n from h
  where app.line_left(h.paid, h.quantity, h.quantity - h.units, nullif(h.concessions, '{}'))
    <> app.line_left(
      h.paid, h.quantity, h.quantity - h.units,
      nullif(array(select c from unnest(h.concessions) as c order by c.units, c.amount), '{}')
    )
$$, 'in whatever sequence the concessions are');

select * from finish();
rollback;
