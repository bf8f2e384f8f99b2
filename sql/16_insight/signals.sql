-- Signals of what may be abuse. They are reads, never punishments.

create or replace function app.signal_read_limit()
returns integer
language sql
immutable
parallel safe
as $$
  select 500
$$;

comment on function app.signal_read_limit is 'Returns how many rows one page of signals examines at most.';

create or replace function app.last_read(p_found bigint[], p_examined bigint[], p_limit integer)
returns bigint
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when cardinality(p_found) = p_limit then (select min(f.id) from unnest(p_found) as f (id))
    when cardinality(p_examined) = app.signal_read_limit() then (select min(e.id) from unnest(p_examined) as e (id))
  end
$$;

comment on function app.last_read is
  'Returns next_cursor of a page of signals, the latest first: the id of the last signal if the page is full, or of '
  'the last row examined if app.signal_read_limit() were; otherwise null. examined_to is the time of that row.';

-- Compares only the order that holds the place now. The signal ends when a refund frees the place again.
-- Has no set clause, so that the planner can inline it.
create or replace function app.taker_of(p_earner_uid bigint, p_cycle_no integer, p_place smallint, p_base numeric)
returns setof app.settlements
language sql
stable
rows 1
as $$
  select t.* from app.settlements as t
  where t.earner_uid = p_earner_uid and t.earner_uid is not null and t.cycle_no = p_cycle_no and t.place = p_place
    and t.place_freed_at is null and t.base > p_base
$$;

comment on function app.taker_of is
  'Returns the settlement that holds a place now, if its base is larger than p_base, which an order had that refunds '
  'removed from the place.';

create or replace function app.retaken_places(
  p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with examined as materialized (
    select s.order_id, s.uid, s.earner_uid, s.cycle_no, s.place, s.base, s.place_freed_at,
      s.place_freed_position as position
    from app.settlements as s
    where s.place_freed_at is not null and s.place_freed_position < p_before
    order by s.place_freed_position desc limit app.signal_read_limit()
  ), found as materialized (
    select e.*, t.order_id as taken_by, t.uid as taken_uid, t.base as taken_base, t.settled_at as taken_at, t.commission
    from examined as e cross join lateral app.taker_of(e.earner_uid, e.cycle_no, e.place, e.base) as t
    order by e.position desc limit p_limit
  ), last_read as (
    select app.last_read(
      array(select f.position from found as f order by f.position),
      array(select e.position from examined as e order by e.position), p_limit
    ) as position
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'retaken_place', 'uid', f.earner_uid, 'nickname', m.nickname, 'cycle_no', f.cycle_no, 'place', f.place,
        'commission', f.commission::text,
        'freed',
        jsonb_build_object(
          'order_id', f.order_id, 'uid', f.uid, 'nickname', b.nickname, 'base', f.base::text, 'time',
          app.utc(f.place_freed_at)
        ),
        'taken',
        jsonb_build_object(
          'order_id', f.taken_by, 'uid', f.taken_uid, 'nickname', t.nickname, 'base', f.taken_base::text, 'time',
          app.utc(f.taken_at)
        )
      ) order by f.position desc), '[]')
      from found as f
      join app.users as m on m.uid = f.earner_uid
      join app.users as b on b.uid = f.uid
      join app.users as t on t.uid = f.taken_uid
    ),
    l.position,
    (select e.place_freed_at from examined as e where e.position = l.position)
  from last_read as l
$$;

comment on function app.retaken_places is
  'Returns a page of the places that refunds freed before position p_before and that an order with a larger settled '
  'base holds now (app.last_read).';

create or replace function app.address_key(p_address jsonb)
returns text
language sql
immutable
strict
set search_path = pg_catalog, pg_temp
as $$
  select lower(regexp_replace(
    normalize(
      (
        select string_agg(r.name, '' order by r.n)
        from jsonb_array_elements_text(p_address -> 'region') with ordinality as r (name, n)
      )
        || (p_address ->> 'street'),
      nfkc
    ),
    '\s', '', 'g'
  ))
$$;

comment on function app.address_key is
  'Returns region and street of an address without differences of case, spaces and the width of characters.';

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
    cross join lateral (
      select l.id, l.address from app.orders as l where l.uid = r.uid order by l.id desc limit 100
    ) as o
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
  'Returns the WeChat accounts (openids) with which members have paid or sign in, and the addresses of their orders '
  'and address books.';

create or replace function app.shared_orders(
  p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz
)
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
    select t.*
    from app.referrer_traces(array(select distinct p.referrer_uid from paid as p order by p.referrer_uid)) as t
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
    select app.last_read(
      array(select f.id from found as f order by f.id), array(select e.id from examined as e order by e.id), p_limit
    ) as id
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'shared_order', 'order_id', f.id, 'uid', f.uid, 'nickname', b.nickname, 'referrer_uid', f.referrer_uid,
        'referrer_nickname', r.nickname,
        'same_payer', f.same_payer, 'same_address', coalesce(f.same_address, false), 'pay_price', f.pay_price::text,
        'paid_at', app.utc(f.paid_at)
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
  'Returns a page of the orders that were paid with a WeChat account of the buyer''s referrer, or sent to an address '
  'of the referrer (app.last_read).';

create or replace function app.burst_size()
returns integer
language sql
immutable
parallel safe
as $$
  select 20
$$;

comment on function app.burst_size is 'Returns how many sign-ups under one referrer in less than an hour are a burst.';

create or replace function app.is_burst(p_begins_at timestamptz, p_ends_at timestamptz)
returns boolean
language sql
stable
parallel safe
as $$
  select p_begins_at > p_ends_at - interval '1 hour' and p_begins_at <= p_ends_at
$$;

comment on function app.is_burst is
  'Returns whether less than an hour lies between the first and the last of app.burst_size() sign-ups.';

-- Reads at most app.burst_size() entries of users_spread_uid_idx. uids are given in the order of sign-up.
create or replace function app.completes_burst(p_spread_uid bigint, p_uid bigint, p_add_time timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from (
      select u.add_time from app.users as u
      where u.spread_uid = p_spread_uid and u.uid <= p_uid
      order by u.uid desc offset app.burst_size() - 1 limit 1
    ) as b
    where app.is_burst(b.add_time, p_add_time)
  )
$$;

comment on function app.completes_burst is
  'Returns whether a member is the last of app.burst_size() sign-ups under one referrer that are a burst '
  '(app.is_burst).';

-- Reads at most 1,000 members: p_uid and those before.
create or replace function app.burst_until(
  p_spread_uid bigint, p_uid bigint, out members integer, out begins_at timestamptz
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with latest as materialized (
    select row_number() over w as n, u.add_time, lead(u.add_time, app.burst_size() - 1) over w as earlier
    from (
      select s.uid, s.add_time from app.users as s
      where s.spread_uid = p_spread_uid and s.uid <= p_uid
      order by s.uid desc limit 1000
    ) as u
    window w as (order by u.uid desc)
  ), burst as (
    -- Each member completes a burst, except the first app.burst_size() - 1 of it.
    select min(l.n) - 1 + app.burst_size() - 1 as members
    from latest as l
    where app.is_burst(l.earlier, l.add_time) is not true
  )
  select b.members::integer, l.add_time from burst as b join latest as l on l.n = b.members
$$;

comment on function app.burst_until is
  'Returns how many members signed up in the burst under a referrer that ends with p_uid, at most 1,000, and when it '
  'began.';

-- A burst is listed once, at the last member who completes it.
create or replace function app.sign_up_bursts(
  p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with examined as materialized (
    select u.uid, u.spread_uid, u.add_time from app.users as u
    where u.uid < p_before
    order by u.uid desc limit app.signal_read_limit()
  ), found as materialized (
    select e.uid, e.spread_uid, e.add_time
    from examined as e
    where e.spread_uid is not null and app.completes_burst(e.spread_uid, e.uid, e.add_time) and not exists (
      select from (
        select u.uid, u.add_time from app.users as u where u.spread_uid = e.spread_uid and u.uid > e.uid order by u.uid
        limit 1
      ) as n
      where app.completes_burst(e.spread_uid, n.uid, n.add_time)
    )
    order by e.uid desc limit p_limit
  ), last_read as (
    select app.last_read(
      array(select f.uid from found as f order by f.uid), array(select e.uid from examined as e order by e.uid), p_limit
    ) as uid
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'sign_up_burst', 'uid', f.spread_uid, 'nickname',
        (select r.nickname from app.users as r where r.uid = f.spread_uid),
        'members', b.members, 'begins_at', app.utc(b.begins_at), 'ends_at', app.utc(f.add_time), 'last_uid', f.uid
      ) order by f.uid desc), '[]')
      from found as f cross join lateral app.burst_until(f.spread_uid, f.uid) as b
    ),
    l.uid,
    (select e.add_time from examined as e where e.uid = l.uid)
  from last_read as l
$$;

comment on function app.sign_up_bursts is
  'Returns a page of the bursts of sign-ups under one referrer, by the uid of the last member (app.last_read).';

-- Who shares the document or the account with the member of the row that is listed.
create or replace function app.sharers_json(p_uids bigint[])
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('uid', u.uid, 'nickname', u.nickname) order by u.uid), '[]')
  from (select m.uid, m.nickname from app.users as m where m.uid = any (p_uids) order by m.uid limit 20) as u
$$;

comment on function app.sharers_json is 'Returns the first 20 of some members, with their nicknames.';

create or replace function app.is_shared_person(p_uid bigint, p_person bytea)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from app.real_names as o where o.person = p_person and o.uid <> p_uid)
$$;

comment on function app.is_shared_person is
  'Returns whether another member than p_uid gave the same document as their real name.';

-- A person is listed once, at the last member who gave the document.
create or replace function app.shared_people(
  p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with examined as materialized (
    select r.id, r.uid, r.document, r.name_mask, r.number_mask, r.person, r.given_at from app.real_names as r
    where r.id < p_before
    order by r.id desc limit app.signal_read_limit()
  ), found as materialized (
    select e.* from examined as e
    where app.is_shared_person(e.uid, e.person)
      and not exists (select from app.real_names as o where o.person = e.person and o.id > e.id)
    order by e.id desc limit p_limit
  ), last_read as (
    select app.last_read(
      array(select f.id from found as f order by f.id), array(select e.id from examined as e order by e.id), p_limit
    ) as id
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'shared_person', 'id', f.id, 'document', f.document, 'name', f.name_mask, 'number', f.number_mask,
        'members', cardinality(s.uids),
        'first_members', app.sharers_json(s.uids), 'add_time', app.utc(f.given_at)
      ) order by f.id desc), '[]')
      from found as f
      cross join lateral (
        select array(select o.uid from app.real_names as o where o.person = f.person order by o.uid)
      ) as s (uids)
    ),
    l.id,
    (select e.given_at from examined as e where e.id = l.id)
  from last_read as l
$$;

comment on function app.shared_people is
  'Returns a page of the people whose document several members gave as their real name, by the id of the last real '
  'name (app.last_read).';

-- Accounts that were deleted but paid to count, too.
create or replace function app.is_shared_account(p_uid bigint, p_method text, p_account_no text)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from app.payout_accounts as o where (o.account_no, o.method) = (p_account_no, p_method) and o.uid <> p_uid
  )
$$;

comment on function app.is_shared_account is
  'Returns whether another member than p_uid has the account at a bank or at Alipay.';

-- An account is listed once, at the last member who added it.
create or replace function app.shared_accounts(
  p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with examined as materialized (
    select a.id, a.uid, a.method, a.account_no, a.add_time from app.payout_accounts as a
    where a.id < p_before
    order by a.id desc limit app.signal_read_limit()
  ), found as materialized (
    select e.* from examined as e
    where app.is_shared_account(e.uid, e.method, e.account_no)
      and not exists (
        select from app.payout_accounts as o where (o.account_no, o.method) = (e.account_no, e.method) and o.id > e.id
      )
    order by e.id desc limit p_limit
  ), last_read as (
    select app.last_read(
      array(select f.id from found as f order by f.id), array(select e.id from examined as e order by e.id), p_limit
    ) as id
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'shared_account', 'id', f.id, 'method', f.method, 'account', app.masked_account(f.account_no),
        'members', cardinality(s.uids),
        'first_members', app.sharers_json(s.uids), 'add_time', app.utc(f.add_time)
      ) order by f.id desc), '[]')
      from found as f
      cross join lateral (
        select array(
          select distinct o.uid from app.payout_accounts as o where (o.account_no, o.method) = (f.account_no, f.method)
          order by o.uid
        )
      ) as s (uids)
    ),
    l.id,
    (select e.add_time from examined as e where e.id = l.id)
  from last_read as l
$$;

comment on function app.shared_accounts is
  'Returns a page of the accounts at a bank or at Alipay that several members have, by the id of the last one '
  '(app.last_read).';

-- Reads the unpaid orders, whose number their expiry limits, once for each page.
create or replace function app.reserved_stock(
  p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with held as materialized (
    select l.product_id as id, sum(l.stock_taken) as units, count(distinct o.id) as orders,
      array_agg(distinct o.uid order by o.uid) as uids, min(o.add_time) as oldest_at
    from app.orders as o join app.order_lines as l on l.order_id = o.id
    where o.state = 'unpaid' and l.stock_taken > 0 and l.product_id < p_before
    group by l.product_id
  ), examined as materialized (
    select h.*, p.title, p.stock, p.add_time from held as h join app.products as p on p.id = h.id
    where p.stock is not null
    order by h.id desc limit app.signal_read_limit()
  ), found as materialized (
    select e.* from examined as e cross join app.settings as s where e.units >= s.max_unpaid_share * (e.stock + e.units)
    order by e.id desc limit p_limit
  ), last_read as (
    select app.last_read(
      array(select f.id from found as f order by f.id), array(select e.id from examined as e order by e.id), p_limit
    ) as id
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'reserved_stock', 'product_id', f.id, 'title', f.title, 'stock', f.stock, 'units', f.units, 'orders',
        f.orders,
        'members', cardinality(f.uids), 'first_members', app.sharers_json(f.uids), 'oldest_at', app.utc(f.oldest_at)
      ) order by f.id desc), '[]')
      from found as f
    ),
    l.id,
    (select e.add_time from examined as e where e.id = l.id)
  from last_read as l
$$;

comment on function app.reserved_stock is
  'Returns a page of the products of whose stock unpaid orders hold at least the share that one member can hold, '
  'app.settings.max_unpaid_share (app.last_read).';

-- shared_order would read all orders below a referrer, and reserved_stock is about products. An account that was
-- deleted stays only if a withdrawal names it.
create or replace function app.signals_of(p_uids bigint[])
returns table (uid bigint, kinds text[])
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with freed as materialized (
    select s.earner_uid, s.cycle_no, s.place, s.base from app.settlements as s
    where s.place_freed_at is not null order by s.place_freed_position desc limit 10 * app.signal_read_limit()
  ), retaken as materialized (
    select f.earner_uid
    from freed as f cross join lateral app.taker_of(f.earner_uid, f.cycle_no, f.place, f.base) as t
    where f.earner_uid = any (p_uids)
  )
  select m.uid, array_remove(array[
    case when m.uid in (select r.earner_uid from retaken as r) then 'retaken_place' end,
    case when exists (
      select from (
        select l.add_time, lead(l.add_time, app.burst_size() - 1) over (order by l.uid desc) as earlier
        from (
          select u.uid, u.add_time from app.users as u where u.spread_uid = m.uid order by u.uid desc
          limit app.signal_read_limit()
        ) as l
      ) as b
      where app.is_burst(b.earlier, b.add_time)
    ) then 'sign_up_burst' end,
    case when exists (
      select from app.real_names as r where r.uid = m.uid and app.is_shared_person(m.uid, r.person)
    ) then 'shared_person' end,
    case when exists (
      select from (
        select a.method, a.account_no from app.payout_accounts as a where a.uid = m.uid and a.deleted_at is null
        union
        select a.method, a.account_no from app.withdrawals as w join app.payout_accounts as a on a.id = w.account_id
        where w.uid = m.uid
      ) as o
      where app.is_shared_account(m.uid, o.method, o.account_no)
    ) then 'shared_account' end
  ], null)
  from (select distinct u.uid from unnest(p_uids) as u (uid)) as m
$$;

comment on function app.signals_of is
  'Returns, for each of these members, which kinds of signals concern them: retaken_place as the earner, of the last '
  '5,000 places that refunds freed; sign_up_burst as the referrer, of their last 500 sign-ups; shared_person; '
  'shared_account. Not shared_order, which would read all orders below a referrer, and reserved_stock, of products.';
