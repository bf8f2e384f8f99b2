create or replace function app.use_of_member(p_uid bigint)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when exists (select from app.orders as o where o.uid = p_uid) then 'has orders'
    when exists (select from app.users as u where u.spread_uid = p_uid) then 'has referred other members'
    when exists (select from app.user_bill as b where b.uid = p_uid)
      or exists (select from app.archived_balances as a where a.uid = p_uid) then 'has a bill'
    when exists (select from app.imported_members as i where i.uid = p_uid) then 'is an imported member'
    when exists (select from app.level_changes as l where l.uid = p_uid) then 'has a level that an administrator has set'
    when exists (select from app.adjustments as a where a.uid = p_uid) then 'has an adjustment of balances'
    when exists (select from app.no_assess_changes as n where n.uid = p_uid) then 'has a no-assess flag that an administrator has set'
  end
$$;

comment on function app.use_of_member is
  'Returns why a member cannot be replaced by an imported one, or null if nothing depends on the member.';
