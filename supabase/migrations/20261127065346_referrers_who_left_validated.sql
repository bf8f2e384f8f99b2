-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '600s';

-- Reads the tables beside whoever writes them.
alter table app.settlements validate constraint reason_is_known;
alter table app.adjustments validate constraint kind_is_known;
alter table app.adjustments validate constraint a_payout_only_takes;
