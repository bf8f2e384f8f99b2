-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- In a store in use, the rules of 2.0.0 hold from here on (docs/decisions/0172). The lock waits until nothing is decided by the old ones any more.
select app.lock_structure();
update app.rule_versions as v
set position = nextval('app.positions'), in_force_since = clock_timestamp()
where v.version = 2 and exists (select from app.users);
