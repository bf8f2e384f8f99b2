create or replace function app.decide_points(
  p_lines app.order_lines[], p_use_points numeric, p_available numeric, p_rate numeric, p_max_share numeric
)
returns app.order_lines[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_whole numeric := (select coalesce(sum(l.paid), 0) from unnest(p_lines) as l where not l.is_queue_goods);
  v_money numeric := least(
    app.money_of_points(greatest(least(coalesce(p_use_points, 0), p_available), 0), p_rate), app.round_down(p_max_share * v_whole, app.money_decimals())
  );
  v_price numeric := 0.0;
  v_spread numeric := 0.0;
  v_line app.order_lines;
  v_lines app.order_lines[] := array[]::app.order_lines[];
begin
  if v_money = 0 then
    return p_lines;
  end if;
  foreach v_line in array p_lines loop
    if not v_line.is_queue_goods then
      v_price := v_price + v_line.paid;
      v_line.paid_by_points := app.money_share(v_money, v_price, v_whole) - v_spread;
      v_line.points := v_line.paid_by_points * p_rate;
      v_line.paid := v_line.paid - v_line.paid_by_points;
      v_spread := v_spread + v_line.paid_by_points;
    end if;
    v_lines := v_lines || v_line;
  end loop;
  return v_lines;
end
$$;

comment on function app.decide_points is
  'Decides what points pay for priced lines, and returns the lines with it. p_use_points is the most points to use, p_rate the points for '
  '1.00, p_max_share the greatest share of the price that points can pay. Queue goods are never paid by points. The money is spread over the '
  'other lines in proportion to their prices: each line pays the difference of two running sums that are rounded down, so that the lines '
  'add up and no line pays more than its price.';
