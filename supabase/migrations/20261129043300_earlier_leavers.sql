-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- Members who left before earned on until now (docs/decisions/0174). From this position on they do not. Each is named in a notice. What those who gave up their balances have
-- earned since is given up, too, by one adjustment each. What others, whose accounts were removed, had and have earned since stays owed.
select app.lock_structure();
update app.adjustments as a set kind = 'forfeit' where a.created_by is null and a.reason = app.reason_of_forfeit();
do $$
declare
  v_now timestamptz := clock_timestamp();
  -- An imported member whom nobody has claimed has no account either, but a name of their own.
  v_uids bigint[] := array(
    select u.uid from app.users as u where u.auth_id is null and u.left_at is null and (
      u.nickname = app.deleted_nickname() or exists (select from app.account_deletions as d where d.uid = u.uid and d.done_at is not null)
    ) order by u.uid
  );
  v_uid bigint;
  v_had app.user_balances;
begin
  perform app.lock_balances(v_uids);
  foreach v_uid in array v_uids loop
    select b.* into v_had from app.user_balances as b where b.uid = v_uid;
    perform app.forfeit_balances(v_uid, 'Earned after the deletion of the account, until the update to 2.0.0', v_now) where app.gave_up(v_uid);
    update app.users as u set left_at = v_now, left_position = nextval('app.positions') where u.uid = v_uid;
    raise notice 'member % left before: commission %, frozen points %, available points %, %', v_uid, v_had.brokerage_price, trim_scale(v_had.frozen_points),
      trim_scale(v_had.available_points), case when app.gave_up(v_uid) then 'given up' else 'still owed' end;
  end loop;
end
$$;
