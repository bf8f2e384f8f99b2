-- The only trace that a sign-up, a payment or a refund leaves for the team totals: a row of its own. No row of an ancestor is
-- read, locked or written. A settlement changes neither column and fires no trigger.
create or replace function app.queue_team_change()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.team_changes (uid) values (new.uid);
  return null;
end
$$;

comment on function app.queue_team_change is
  'Trigger: queues a member whose referrer or number of reported orders has changed, for the next sum of the team totals.';

create trigger new_referrals_are_queued after insert on app.users
  for each row when (new.spread_uid is not null) execute function app.queue_team_change();
create trigger changed_referrals_are_queued after update of spread_uid on app.users
  for each row when (old.spread_uid is distinct from new.spread_uid) execute function app.queue_team_change();
create trigger new_reported_orders_are_queued after insert on app.orders
  for each row when (app.is_reported(new.paid_at, new.queue_units, new.refund_status, new.below_minimum))
  execute function app.queue_team_change();
create trigger changed_reported_orders_are_queued after update of paid_at, queue_units, refund_status, below_minimum on app.orders
  for each row when (
    app.is_reported(old.paid_at, old.queue_units, old.refund_status, old.below_minimum)
    <> app.is_reported(new.paid_at, new.queue_units, new.refund_status, new.below_minimum)
  )
  execute function app.queue_team_change();
