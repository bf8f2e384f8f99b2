-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- Decision 0155. New sessions have these settings.
alter role store_api set constraint_exclusion = off;
alter role current_user set constraint_exclusion = off;
alter role store_analyst set constraint_exclusion = off;
