-- Drops what the generated migration no longer uses, so that `npm run migration:fold` leaves it out.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- Calls that have begun before the generated migration still call these functions and read these tables, which are empty (20261127065339_archived_months_go.sql).
drop function if exists
  app.archived_log_json(jsonb, bigint, text[], integer, text), app.reach_months(text, timestamptz, timestamptz), app.unreachable_until(text, timestamptz, timestamptz),
  app.hold_months(text, timestamptz, date[]), app.moved_months(text), app.archive_part(text, date), app.reject_archived_order(bigint), app.is_order_archived(bigint),
  app.reject_archived_release(date), app.first_release_day(), app.other_server_state(), app.archived_until(text),
  app.other_digest(app.archived_months), app.require_archived_rows(app.archived_months, bigint, numeric), app.lock_archived_month(text, date);
-- squawk-ignore ban-drop-table
drop table if exists app.archived_balances, app.archived_months, archive.points_release_log, archive.user_bill;
drop schema if exists archive;
