-- Row-level security of the tables with rows of members: members read their own rows, administrators read all rows.
-- After app.current_uid, which most policies call.
create policy members_read_themselves on app.users for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_users on app.users for select to store_admin, service_role using (true);

create policy members_read_their_balances on app.user_balances for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_balances on app.user_balances for select to store_admin, service_role using (true);

create policy members_read_their_orders on app.orders for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_orders on app.orders for select to store_admin, service_role using (true);

create policy members_read_their_order_lines on app.order_lines for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_order_lines on app.order_lines for select to store_admin, service_role using (true);

create policy earners_read_their_settlements on app.settlements for select to authenticated
  using (earner_uid = (select app.current_uid()));
create policy admins_read_all_settlements on app.settlements for select to store_admin, service_role using (true);

create policy members_read_their_bill on app.user_bill for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_bills on app.user_bill for select to store_admin, service_role using (true);

create policy members_read_their_archived_balances on app.archived_balances for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_archived_balances on app.archived_balances for select to store_admin, service_role using (true);

create policy members_read_their_releases on app.points_release_log for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_releases on app.points_release_log for select to store_admin, service_role using (true);

create policy members_read_their_level_changes on app.level_changes for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_level_changes on app.level_changes for select to store_admin, service_role using (true);

create policy members_read_their_refunds on app.refunds for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_refunds on app.refunds for select to store_admin, service_role using (true);

create policy members_read_their_refund_lines on app.refund_lines for select to authenticated
  using (refund_id in (
    select r.id from app.refunds as r join app.orders as o on o.id = r.order_id where o.uid = (select app.current_uid())
  ));
create policy admins_read_all_refund_lines on app.refund_lines for select to store_admin, service_role using (true);

create policy members_read_their_provider_refunds on app.provider_refunds for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_provider_refunds on app.provider_refunds for select to store_admin, service_role using (true);

create policy earners_read_their_maturities on app.commission_maturities for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_maturities on app.commission_maturities for select to store_admin, service_role using (true);

create policy members_read_their_withdrawals on app.withdrawals for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_withdrawals on app.withdrawals for select to store_admin, service_role using (true);

create policy admins_read_adjustments on app.adjustments for select to store_admin, service_role using (true);
