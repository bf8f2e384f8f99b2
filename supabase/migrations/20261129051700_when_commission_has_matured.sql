-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- A row of the catalogue that sql/ changes: the event now says when commission can first be withdrawn.
update app.event_types
set description = 'The commission of the order can be withdrawn: it has matured, and no open refund request holds it. Once for each order.'
where type = 'commission.matured';
