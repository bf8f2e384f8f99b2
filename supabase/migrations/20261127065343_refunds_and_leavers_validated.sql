-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '600s';

-- Reads the tables beside whoever writes them.
alter table app.users validate constraint left_at_has_a_position;
alter table app.refunds validate constraint freight_is_part_of_the_amount;
alter table app.refunds validate constraint refusal_reason_is_a_short_text;
alter table app.refunds validate constraint refusal_reason_only_if_refused;
alter table app.refunds validate constraint state_is_known;
alter table app.refund_lines validate constraint quantity_is_not_negative;
alter table app.refund_lines validate constraint asked_is_positive;
alter table app.refund_lines validate constraint concession_is_not_negative;
alter table app.refund_lines validate constraint units_or_an_amount;
alter table app.refund_lines validate constraint something_is_named;
alter table app.withdrawals validate constraint held_accepted_is_part_of_the_amount;
alter table app.used_quotas validate constraint kind_is_known;
