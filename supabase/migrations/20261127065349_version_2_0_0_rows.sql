-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

insert into app.event_types (type, version, subject, keys, title, title_zh, description) values
  ('commission.held', '1', 'order', '{amount}', 'Commission held', '佣金暂不可提现', 'The buyer asked for a refund of queue goods: until the answer, the commission of the order cannot be withdrawn, even if it has matured.'),
  ('commission.released', '1', 'order', '{amount}', 'Commission no longer held', '佣金解除暂扣', 'The request was answered and left commission of the order, which no request holds any more.'),
  ('member.left', '1', 'member', '{}', 'Member left', '会员已离开', 'The account of the member was deleted or removed. From then on the member earns nothing, and nobody joins below them.'),
  ('refund.partly_refunded', '1', 'order', '{refund_id,amount,points}', 'Refund granted in part', '部分退款', 'The request was granted in part. With an amount of 0.00, other refunds had paid back what it asked for.'),
  ('refund.taken_back', '1', 'order', '{refund_id,amount,points}', 'Refund request taken back', '退款申请已撤回', 'The buyer took the request back before the store answered it.')
on conflict do nothing;

insert into app.rule_versions (version, "position") values
  ('1', '0'),
  ('2', '0')
on conflict do nothing;

insert into app.schema_versions (version) values
  ('2.0.0')
on conflict do nothing;
