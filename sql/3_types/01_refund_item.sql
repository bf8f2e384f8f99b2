create type app.refund_item as (line_id bigint, quantity integer);
comment on type app.refund_item is 'Units of an order line in a refund.';
