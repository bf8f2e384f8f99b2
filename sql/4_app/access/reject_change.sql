-- Raises: restrict_violation.
create or replace function app.reject_change()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'restrict_violation', message = format('rows of %I are never changed or deleted', tg_table_name);
end
$$;

comment on function app.reject_change is
  'Trigger: rejects every update, delete and truncate of an append-only table. Corrections of money and points are new, '
  'reversing rows.';

create trigger bill_rows_are_never_changed before update or delete on app.user_bill
  for each row execute function app.reject_change();
create trigger the_bill_is_never_emptied before truncate on app.user_bill
  for each statement execute function app.reject_change();
-- A trigger for statements is not inherited by partitions: each has its own (see create_month_partition).
create trigger the_default_part_of_the_bill_is_never_emptied before truncate on app.user_bill_default
  for each statement execute function app.reject_change();
create trigger closed_months_are_never_changed before update or delete on app.closed_months
  for each row execute function app.reject_change();
create trigger closed_months_are_never_emptied before truncate on app.closed_months
  for each statement execute function app.reject_change();
create trigger plan_versions_are_never_changed before update or delete on app.commission_plans
  for each row execute function app.reject_change();
create trigger plan_versions_are_never_emptied before truncate on app.commission_plans
  for each statement execute function app.reject_change();
create trigger level_versions_are_never_changed before update or delete on app.level_versions
  for each row execute function app.reject_change();
create trigger level_versions_are_never_emptied before truncate on app.level_versions
  for each statement execute function app.reject_change();
create trigger releases_are_never_changed before update or delete on app.points_release_log
  for each row execute function app.reject_change();
create trigger releases_are_never_emptied before truncate on app.points_release_log
  for each statement execute function app.reject_change();
create trigger the_default_part_of_releases_is_never_emptied before truncate on app.points_release_log_default
  for each statement execute function app.reject_change();
create trigger level_history_is_never_changed before update or delete on app.level_changes
  for each row execute function app.reject_change();
create trigger level_history_is_never_emptied before truncate on app.level_changes
  for each statement execute function app.reject_change();
create trigger no_assess_history_is_never_changed before update or delete on app.no_assess_changes
  for each row execute function app.reject_change();
create trigger no_assess_history_is_never_emptied before truncate on app.no_assess_changes
  for each statement execute function app.reject_change();
create trigger payment_notifications_are_never_changed before update or delete on app.payment_notifications
  for each row execute function app.reject_change();
create trigger payment_notifications_are_never_emptied before truncate on app.payment_notifications
  for each statement execute function app.reject_change();
create trigger admin_actions_are_never_changed before update or delete on app.admin_actions
  for each row execute function app.reject_change();
create trigger admin_actions_are_never_emptied before truncate on app.admin_actions
  for each statement execute function app.reject_change();
create trigger the_default_part_of_actions_is_never_emptied before truncate on app.admin_actions_default
  for each statement execute function app.reject_change();
-- Everything but title and note, which are emptied when the account is deleted (app.forget_person).
create trigger imported_bill_rows_are_never_changed
  before update of source, old_id, uid, type, is_income, amount, balance, order_ref, add_time or delete on app.imported_bill
  for each row execute function app.reject_change();
create trigger imported_bill_is_never_emptied before truncate on app.imported_bill
  for each statement execute function app.reject_change();
create trigger opening_cycles_are_never_changed before update or delete on app.opening_cycles
  for each row execute function app.reject_change();
create trigger opening_cycles_are_never_emptied before truncate on app.opening_cycles
  for each statement execute function app.reject_change();
