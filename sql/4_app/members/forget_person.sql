-- Security definer: the role of the Auth server has no rights on schema app.
-- Locks: the orders of the member by id, their withdrawals by id, their balances, and the member last, as a settlement does.
-- Idempotent: a second deletion finds nothing left to remove.
create or replace function app.forget_person()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  select u.uid into v_uid from app.users as u where u.auth_id = old.id;
  perform from app.orders as o where o.uid = v_uid order by o.id for update;
  perform app.forget_payee(v_uid);
  -- Waits for every transaction that has just inserted rows of the member. What follows sees them. Later ones are rejected by app.call_api.
  update app.users set auth_id = null, nickname = 'Deleted member', phone = null, avatar = null where uid = v_uid;
  update app.orders set address = null, remark = '' where uid = v_uid and (address is not null or remark <> '');
  update app.refunds as r set reason = '' from app.orders as o where r.order_id = o.id and o.uid = v_uid and r.reason <> '';
  delete from app.posters where uid = v_uid;
  delete from app.addresses where uid = v_uid;
  delete from app.payment_payers as p using app.payment_attempts as a, app.orders as o where p.attempt_id = a.id and a.order_id = o.id and o.uid = v_uid;
  delete from app.imported_openids where uid = v_uid;
  update app.imported_members set phone = null, unionid = null where uid = v_uid;
  update app.imported_bill set title = '', note = '' where uid = v_uid and (title <> '' or note <> '');
  delete from app.idempotency_keys where auth_id = old.id;
  -- The keys of administrators stay, so that a repeated request has no second effect.
  update app.idempotency_keys as k set response = r.response
  from (
    select l.auth_id, l.role, l.key, app.without_person(l.response, v_uid) as response
    from app.idempotency_keys as l where l.role = 'store_admin' and jsonb_typeof(l.response) = 'object' and l.response <> '{}'
  ) as r
  where (k.auth_id, k.role, k.key) = (r.auth_id, r.role, r.key) and k.response <> r.response;
  delete from app.wechat_accounts where auth_id = old.id;
  delete from app.administrators where auth_id = old.id;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end
$$;

comment on function app.forget_person is
  'Trigger: removes the personal data of a deleted account and detaches the member from it. The member keeps the orders and the bill but loses nickname, phone, '
  'avatar, poster, payout accounts and addresses, those of the orders and their remarks, payers and reasons of refunds included. Of an imported member, the ids for claiming and the titles and notes of old bill rows are deleted, too. Idempotency keys, WeChat ids and administrator rights of the account are deleted, and the '
  'responses to administrators that are stored under their keys lose what names the member. '
  'Also fires when the Auth server only marks the account as deleted.';

-- Before the deletion, because it sets the member's auth_id to null. An account that is only marked as deleted loses the member here: its
-- tokens stay valid for up to an hour.
create trigger deleted_accounts_are_forgotten before delete on auth.users
  for each row execute function app.forget_person();
create trigger accounts_marked_as_deleted_are_forgotten after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.forget_person();
