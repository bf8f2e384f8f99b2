-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- New constraints are checked for what is written from here on; the next migration looks at what is there.
alter table app.users add column left_at timestamptz, add column left_position bigint;
alter table app.users add constraint left_at_has_a_position check ((left_at is null) = (left_position is null)) not valid;

alter table app.refunds add column freight numeric(14,2) not null default 0, add column named jsonb, add column refusal_reason text not null default '';
alter table app.refunds add constraint freight_is_part_of_the_amount check (freight between 0 and amount) not valid;
alter table app.refunds add constraint refusal_reason_is_a_short_text check (char_length(refusal_reason) <= 500 and app.is_text(refusal_reason)) not valid;
alter table app.refunds add constraint refusal_reason_only_if_refused check (refusal_reason = '' or state = 'refused') not valid;
alter table app.refunds drop constraint state_is_known;
alter table app.refunds add constraint state_is_known check (state in ('requested', 'refused', 'taken_back', 'refunded', 'partly_refunded')) not valid;

alter table app.refund_lines add column asked integer, add column concession numeric(14,2) not null default 0;
alter table app.refund_lines drop constraint quantity_is_positive;
alter table app.refund_lines add constraint quantity_is_not_negative check (quantity >= 0) not valid;
alter table app.refund_lines add constraint asked_is_positive check (asked > 0) not valid;
alter table app.refund_lines add constraint concession_is_not_negative check (concession >= 0) not valid;
alter table app.refund_lines add constraint units_or_an_amount check (quantity = 0 or concession = 0) not valid;
alter table app.refund_lines add constraint something_is_named check (quantity > 0 or asked > 0 or concession > 0) not valid;

alter table app.withdrawals add column held_accepted numeric(14,2);
alter table app.withdrawals add constraint held_accepted_is_part_of_the_amount check (held_accepted > 0 and held_accepted <= amount) not valid;

alter table app.used_quotas drop constraint kind_is_known;
alter table app.used_quotas add constraint kind_is_known check (
  kind in ('order', 'cancellation', 'key', 'profile_change', 'poster', 'mail', 'export', 'refund_picture', 'real_name', 'free_order')
) not valid;
