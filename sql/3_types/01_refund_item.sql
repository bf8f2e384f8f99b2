-- Units of an order line that a refund is about.
create type app.refund_item as (line_id bigint, quantity integer);
