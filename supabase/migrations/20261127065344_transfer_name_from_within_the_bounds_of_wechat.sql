-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- WeChat Pay refuses a transfer with a name below 0.30, and one without a name from 2,000.00 on.
update app.settings as s set transfer_name_from = least(greatest(s.transfer_name_from, 0.30), 2000.00)
where s.transfer_name_from not between 0.30 and 2000.00;
