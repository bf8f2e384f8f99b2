-- Shares of a discount are differences of rounded running sums: they add up to the discount, and none exceeds its line.
-- Custom query plan: the planner must know how many orders a batch has, or it looks through all refunds of the batch for each line.
-- Few titles differ, so that each of them is cleaned once.
create or replace function app.import_lines(p_order_nos text[])
returns table (
  order_no text, line_no bigint, product_id bigint, title text, price numeric, quantity integer, discount numeric, is_queue_goods boolean,
  refunded integer
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    with staged as materialized (
      select
        s.order_no, s.line_no::bigint as line_no, s.product_id, s.title, s.price::numeric as price, s.quantity::integer as quantity,
        s.discount::numeric as discount, s.is_queue_goods::boolean as is_queue_goods
      from app.staged_order_lines as s
      where s.order_no = any (p_order_nos)
    ),
    titles as materialized (
      select d.title, left(app.visible_text(d.title), 200) as visible from (select distinct s.title from staged as s where s.title is not null) as d
    ),
    lines as (
      select
        s.order_no, s.line_no, p.id as product_id, coalesce(t.visible, p.title) as title, s.price, s.quantity, s.discount,
        coalesce(s.is_queue_goods, p.is_queue_goods) as is_queue_goods,
        coalesce(o.discount::numeric, sum(s.price * s.quantity) over w + coalesce(o.freight::numeric, 0) - o.pay_price::numeric) as order_discount,
        sum(s.price * s.quantity) over w as order_total,
        sum(s.price * s.quantity) over (w order by s.line_no) as running,
        bool_or(s.discount is not null) over w as has_own
      from staged as s
      join app.staged_orders as o on o.order_no = s.order_no
      join app.imported_products as i on i.old_id = s.product_id
      join app.products as p on p.id = i.product_id
      left join titles as t on t.title = s.title
      where o.order_no = any (p_order_nos)
      window w as (partition by s.order_no)
    ),
    refunds as (
      select r.order_no, r.line_no::bigint as line_no, sum(r.quantity::integer)::integer as quantity
      from app.staged_refunds as r
      where r.order_no = any (p_order_nos) and coalesce(r.state, 'refunded') = 'refunded'
      group by r.order_no, r.line_no::bigint
    )
    select
      l.order_no, l.line_no, l.product_id, l.title, l.price, l.quantity,
      case
        when l.has_own then coalesce(l.discount, 0)
        when l.order_total = 0 then 0
        else app.round_down(l.order_discount * l.running / l.order_total, 2)
          - app.round_down(l.order_discount * (l.running - l.price * l.quantity) / l.order_total, 2)
      end,
      l.is_queue_goods,
      case when a.order_no is not null then l.quantity else coalesce(r.quantity, 0) end
    from lines as l
    left join refunds as r on r.order_no = l.order_no and r.line_no = l.line_no
    -- A refund of all that is left.
    left join refunds as a on a.order_no = l.order_no and a.line_no is null;
end
$$;

comment on function app.import_lines is
  'Returns the lines of staged orders, with the discount of each line and the units that the refunds of the previous system took back. The '
  'discount of an order is spread over its lines by price, unless lines state discounts of their own.';
