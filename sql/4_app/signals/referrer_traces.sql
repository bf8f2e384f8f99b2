-- Reads the last 100 orders of each referrer, and the address book, whose size is limited.
create or replace function app.referrer_traces(p_uids bigint[])
returns table (uid bigint, openid text, address_key text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with latest as materialized (
    select r.uid, o.id, o.address
    from unnest(p_uids) as r (uid)
    cross join lateral (select l.id, l.address from app.orders as l where l.uid = r.uid order by l.id desc limit 100) as o
  )
  select l.uid, p.openid, null::text
  from latest as l
  join app.payment_attempts as a on a.order_id = l.id and a.state = 'paid'
  join app.payment_payers as p on p.attempt_id = a.id
  union
  select r.uid, w.openid, null
  from unnest(p_uids) as r (uid)
  join app.users as u on u.uid = r.uid
  join app.wechat_accounts as w on w.auth_id = u.auth_id
  union
  select l.uid, null, app.address_key(l.address) from latest as l where l.address is not null
  union
  select b.uid, null, app.address_key(b.address) from app.addresses as b where b.uid = any (p_uids)
$$;

comment on function app.referrer_traces is
  'Returns the WeChat accounts (openids) with which members have paid or sign in, and the addresses of their orders and address books '
  '(app.address_key).';
