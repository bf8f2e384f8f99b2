-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- Why nobody earned gets a value, and adjustments a kind. New constraints are checked for what is written from here on; the next migration looks at what is there.
alter table app.settlements drop constraint reason_is_known;
alter table app.settlements add constraint reason_is_known check (
  reason in ('refunded', 'below_minimum', 'zero_base', 'no_referrer', 'referrer_not_eligible', 'nobody_eligible', 'imported', 'referrer_left')
) not valid;
alter table app.adjustments add column kind text not null default 'correction';
alter table app.adjustments add constraint kind_is_known check (kind in ('correction', 'forfeit', 'payout')) not valid;
alter table app.adjustments add constraint a_payout_only_takes check (kind <> 'payout' or greatest(brokerage_delta, frozen_delta, available_delta) <= 0) not valid;
