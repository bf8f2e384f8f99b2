-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- The words of the glossary.
update app.event_types as t set title_zh = n.title_zh
from (values
  ('commission.reversed', '佣金冲回'), ('adjustment.requested', '提交调账'), ('adjustment.booked', '调账已入账'), ('adjustment.refused', '调账被拒绝')
) as n (type, title_zh)
where n.type = t.type;
