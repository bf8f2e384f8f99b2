-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- Not valid, because every settlement that raises somebody writes this table.
alter table app.level_changes
  add column cause text,
  drop constraint tasks_name_the_order,
  add constraint cause_is_known check (cause in ('order', 'refund', 'assess', 'refer', 'import', 'hold')) not valid,
  add constraint only_a_rise_by_tasks_has_a_cause check (reason = 'tasks' or cause is null) not valid,
  add constraint settlements_and_refunds_name_the_order check (
    (reason = 'tasks' and coalesce(cause, 'order') in ('order', 'refund')) = (order_id is not null)
  ) not valid;

-- A table of few rows. They get positions before the one from which the second version of the rules holds.
-- squawk-ignore adding-field-with-default
alter table app.level_versions add column position bigint not null default nextval('app.positions');
