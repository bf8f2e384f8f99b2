create or replace function app.import_columns()
returns table (file text, name text, kind text, is_required boolean)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select c.* from (values
    ('products', 'id', 'code', true), ('products', 'title', 'title', true), ('products', 'price', 'amount', true),
    ('products', 'freight', 'amount', false), ('products', 'is_queue_goods', 'flag', true), ('products', 'is_show', 'flag', false),
    ('products', 'stock', 'count', false), ('products', 'description', 'text', false), ('products', 'added_at', 'time', false),
    ('members', 'uid', 'id', true), ('members', 'nickname', 'text', false), ('members', 'avatar', 'text', false),
    ('members', 'phone', 'text', false), ('members', 'unionid', 'code', false), ('members', 'referrer', 'id', false),
    ('members', 'referred_at', 'time', false), ('members', 'joined_at', 'time', false), ('members', 'level', 'count', false),
    ('members', 'level_held', 'flag', false), ('members', 'no_assess', 'flag', false), ('members', 'commission', 'money', false),
    ('members', 'frozen_points', 'points', false), ('members', 'available_points', 'signed_points', false), ('members', 'places', 'count', false),
    ('openids', 'uid', 'id', true), ('openids', 'openid', 'code', true), ('openids', 'appid', 'code', false),
    ('orders', 'order_no', 'code', true), ('orders', 'uid', 'id', true), ('orders', 'referrer', 'id', false), ('orders', 'state', 'state', true),
    ('orders', 'total_price', 'amount', false), ('orders', 'discount', 'amount', false), ('orders', 'freight', 'amount', false),
    ('orders', 'pay_price', 'amount', true), ('orders', 'placed_at', 'time', true), ('orders', 'paid_at', 'time', false),
    ('orders', 'delivered_at', 'time', false), ('orders', 'received_at', 'time', false), ('orders', 'cancelled_at', 'time', false),
    ('orders', 'pay_type', 'text', false), ('orders', 'pay_ref', 'reference', false), ('orders', 'carrier', 'text', false),
    ('orders', 'tracking_no', 'text', false), ('orders', 'receiver_name', 'text', false), ('orders', 'receiver_phone', 'text', false),
    ('orders', 'region', 'text', false), ('orders', 'street', 'text', false), ('orders', 'remark', 'text', false),
    ('order_lines', 'order_no', 'code', true), ('order_lines', 'line_no', 'id', true), ('order_lines', 'product_id', 'code', true),
    ('order_lines', 'title', 'text', false), ('order_lines', 'price', 'amount', true), ('order_lines', 'quantity', 'quantity', true),
    ('order_lines', 'discount', 'amount', false), ('order_lines', 'is_queue_goods', 'flag', false),
    ('refunds', 'order_no', 'code', true), ('refunds', 'refund_no', 'code', true), ('refunds', 'line_no', 'id', false),
    ('refunds', 'quantity', 'quantity', false), ('refunds', 'state', 'refund_state', false), ('refunds', 'refunded_at', 'time', false),
    ('refunds', 'reason', 'text', false),
    ('bill', 'id', 'code', true), ('bill', 'uid', 'id', true), ('bill', 'type', 'code', true), ('bill', 'title', 'text', false),
    ('bill', 'is_income', 'flag', false), ('bill', 'amount', 'signed_points', true), ('bill', 'balance', 'signed_points', false),
    ('bill', 'order_ref', 'reference', false), ('bill', 'happened_at', 'time', false), ('bill', 'note', 'text', false)
  ) as c (file, name, kind, is_required)
$$;

comment on function app.import_columns is
  'Returns the columns of the neutral form of an import: file, name, kind of value (see app.import_kinds) and whether each row must '
  'have a value. docs/import.md explains them.';
