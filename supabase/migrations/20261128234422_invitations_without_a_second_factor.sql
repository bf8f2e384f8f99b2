-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- From this version on, an invitation needs a second factor. Those from before may come from a stolen password, so they expire, and an owner sends them again.
update app.invitations as i set invited_at = i.invited_at - interval '7 days' where app.is_open_invitation(i);
