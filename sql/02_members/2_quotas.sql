-- Quotas: how often a member can do what within an hour, and how many sign-in codes can be sent.

-- A failed transaction gives back what it has used, since the count is a part of it.
-- A transaction that waited for the row may have a time before that of the count, so an hour is open on both sides. It also ends if the clock is set back.
-- Locks: the count of the member for the kind, until the end of the transaction. So concurrent requests do not exceed the quota. For keys it is the
-- first lock of a transaction; for orders, cancellations and posters it follows the lock that the act takes first, and precedes all others.
-- Not idempotent: each call counts.
create or replace function app.use_quota(p_uid bigint, p_kind text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_hour constant interval := interval '1 hour';
  v_used app.used_quotas;
  v_most integer;
  v_seconds integer;
begin
  insert into app.used_quotas as q (uid, kind, began_at, used) values (p_uid, p_kind, p_now, 1)
  on conflict (uid, kind) do update
  set (began_at, used) = (
    select case when h.is_open then q.began_at else p_now end, case when h.is_open then q.used + 1 else 1 end
    from (select q.began_at > p_now - v_hour and q.began_at < p_now + v_hour as is_open) as h
  )
  returning q.* into v_used;
  select case p_kind
    when 'order' then s.orders_per_hour
    when 'cancellation' then s.cancellations_per_hour
    when 'key' then s.keys_per_hour
    when 'profile_change' then s.profile_changes_per_hour
    when 'poster' then s.posters_per_hour
    when 'export' then 3
  end into v_most from app.settings as s;
  if v_used.used > v_most then
    v_seconds := ceil(extract(epoch from v_used.began_at + v_hour - p_now))::integer;
    perform app.fail('too_many_requests', format(case p_kind
      when 'order' then 'You can place at most %s orders in an hour. Try again in %s minutes.'
      when 'cancellation' then 'You can cancel orders and withdrawals at most %s times in an hour. Try again in %s minutes.'
      when 'key' then 'You can make at most %s changes in an hour. Try again in %s minutes.'
      when 'profile_change' then 'You can change your profile at most %s times in an hour. Try again in %s minutes.'
      when 'poster' then 'Your poster can be drawn at most %s times in an hour. Try again in %s minutes.'
      when 'export' then 'You can get your data at most %s times in an hour. Try again in %s minutes.'
    end, v_most, ceil(v_seconds / 60.0)), p_retry_after => v_seconds);
  end if;
end
$$;

comment on function app.use_quota is
  'Counts what a member does now, a kind of app.used_quotas. Raises too_many_requests, with the seconds until the hour ends, if the member has '
  'done it as often as app.settings allows within the hour. The hour begins with the first time.';

-- A failed transaction gives back what it has counted, as in app.use_quota.
-- Locks: the counts of the address and the number, in this order; old counts that no other transaction holds.
-- Not idempotent: each call counts.
create or replace function app.count_code(p_phone text, p_address text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_hour constant interval := interval '1 hour';
  v_limit record;
  v_sent app.sent_codes;
begin
  for v_limit in
    select l.receiver, l.most from (values (1, 'address ' || p_address, 30), (2, 'phone ' || p_phone, 5)) as l (place, receiver, most)
    where l.receiver is not null order by l.place
  loop
    insert into app.sent_codes as c (receiver, began_at, sent) values (sha256(convert_to(v_limit.receiver, 'UTF8')), p_now, 1)
    on conflict (receiver) do update
    set (began_at, sent) = (
      select case when h.is_open then c.began_at else p_now end, case when h.is_open then c.sent + 1 else 1 end
      from (select c.began_at > p_now - v_hour and c.began_at < p_now + v_hour as is_open) as h
    )
    returning c.* into v_sent;
    if v_sent.sent > v_limit.most then
      perform app.fail('too_many_requests', 'Too many sign-in codes were asked for.', p_retry_after => ceil(extract(epoch from v_sent.began_at + v_hour - p_now))::integer);
    end if;
  end loop;
  -- Last: whoever waits for one of these rows then never holds one that this transaction still needs.
  delete from app.sent_codes as c
  where c.receiver = any (array(select o.receiver from app.sent_codes as o where o.began_at <= p_now - v_hour order by o.began_at limit 100 for update skip locked));
end
$$;

comment on function app.count_code is
  'Counts a sign-in code for a phone number, five an hour, and for the address that asked for it, thirty an hour. Raises too_many_requests above that. Counts of earlier hours are deleted.';
