create or replace function app.shared_orders(p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with examined as materialized (
    select o.id, o.uid, o.referrer_uid, o.pay_price, o.paid_at, o.address, o.is_imported, o.add_time
    from app.orders as o
    where o.id < p_before
    order by o.id desc limit app.signal_read_limit()
  ), paid as materialized (
    select e.* from examined as e where e.paid_at is not null and e.referrer_uid is not null and not e.is_imported
  ), traces as materialized (
    select t.* from app.referrer_traces(array(select distinct p.referrer_uid from paid as p)) as t
  ), compared as (
    select p.id, p.uid, p.referrer_uid, p.pay_price, p.paid_at, (p.referrer_uid, app.address_key(p.address)) in (
        select t.uid, t.address_key from traces as t where t.address_key is not null
      ) as same_address, exists (
        select from app.payment_attempts as a
        join app.payment_payers as y on y.attempt_id = a.id
        join traces as t on t.uid = p.referrer_uid and t.openid = y.openid
        where a.order_id = p.id and a.state = 'paid'
      ) as same_payer
    from paid as p
  ), found as materialized (
    select c.* from compared as c where c.same_payer or c.same_address order by c.id desc limit p_limit
  ), last_read as (
    select app.last_read(array(select f.id from found as f), array(select e.id from examined as e), p_limit) as id
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'shared_order', 'order_id', f.id, 'uid', f.uid, 'nickname', b.nickname, 'referrer_uid', f.referrer_uid, 'referrer_nickname', r.nickname,
        'same_payer', f.same_payer, 'same_address', coalesce(f.same_address, false), 'pay_price', f.pay_price::text, 'paid_at', app.utc(f.paid_at)
      ) order by f.id desc), '[]')
      from found as f
      join app.users as b on b.uid = f.uid
      join app.users as r on r.uid = f.referrer_uid
    ),
    l.id,
    (select e.add_time from examined as e where e.id = l.id)
  from last_read as l
$$;

comment on function app.shared_orders is
  'Returns a page of the paid orders that were paid with a WeChat account of the buyer''s referrer, or sent to an address of the '
  'referrer: those with an id below p_before, the latest first. next_cursor is where the next page begins, or null after the last. '
  'examined_to is the time back to which orders were examined.';
