-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- Not only an order lets a member meet the tasks of a grade any more.
update app.event_types
set description = 'The member rose to a higher grade, by meeting its tasks or by hand. One event for each grade that tasks raised them.'
where type = 'level.reached';
