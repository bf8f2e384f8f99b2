-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10min';

-- Reads the table without stopping its writers.
alter table app.level_changes
  validate constraint cause_is_known,
  validate constraint only_a_rise_by_tasks_has_a_cause,
  validate constraint settlements_and_refunds_name_the_order;
