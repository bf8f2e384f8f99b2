-- Quotas: how often a member can do what within an hour, how often the names of inviters can be asked for, and how many
-- sign-in codes can be sent.

-- A failed transaction gives back what it has used, since the count is a part of it. A transaction that waited for the
-- row may have a time before that of the count, so an hour is open on both sides. It also ends if the clock is set
-- back.
-- Locks: the count of the member for the kind, until the end of the transaction. So concurrent requests do not exceed
-- the quota. For keys it is the first lock of a transaction; for orders, cancellations and posters it follows the lock
-- that the act takes first, and precedes all others.
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
    when 'free_order' then 10
    when 'refund_picture' then 30
    when 'real_name' then 5
  end into v_most from app.settings as s;
  if v_used.used > v_most then
    v_seconds := ceil(extract(epoch from v_used.began_at + v_hour - p_now))::integer;
    perform app.fail('too_many_requests', format(case p_kind
      when 'order' then 'You can place at most %s orders in an hour. Try again in %s minutes.'
      when 'cancellation'
        then 'You can cancel orders and withdrawals at most %s times in an hour. Try again in %s minutes.'
      when 'key' then 'You can make at most %s changes in an hour. Try again in %s minutes.'
      when 'profile_change' then 'You can change your profile at most %s times in an hour. Try again in %s minutes.'
      when 'poster' then 'Your poster can be drawn at most %s times in an hour. Try again in %s minutes.'
      when 'export' then 'You can get your data at most %s times in an hour. Try again in %s minutes.'
      when 'free_order' then 'You can place at most %s orders that cost nothing in an hour. Try again in %s minutes.'
      when 'refund_picture'
        then 'You can upload at most %s pictures for refund requests in an hour. Try again in %s minutes.'
      when 'real_name' then 'You can give your real name at most %s times in an hour. Try again in %s minutes.'
    end, v_most, ceil(v_seconds / 60.0)), p_retry_after => v_seconds);
  end if;
end
$$;

comment on function app.use_quota is
  'Counts what a member does, a kind of app.used_quotas, within the hour that began with the first time. Raises '
  'too_many_requests above what app.settings allows.';

-- A failed transaction gives back what it has counted, as in app.use_quota.
-- Locks: the count, until the end of the transaction; old counts that no other transaction holds.
-- Not idempotent: each call counts.
create or replace function app.count_within_hour(p_what text, p_most integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_hour constant interval := interval '1 hour';
  v_counted app.hourly_counts;
begin
  insert into app.hourly_counts as c (what, began_at, count) values (sha256(convert_to(p_what, 'UTF8')), p_now, 1)
  on conflict (what) do update
  set (began_at, count) = (
    select case when h.is_open then c.began_at else p_now end, case when h.is_open then c.count + 1 else 1 end
    from (select c.began_at > p_now - v_hour and c.began_at < p_now + v_hour as is_open) as h
  )
  returning c.* into v_counted;
  return case
    when v_counted.count > p_most then ceil(extract(epoch from v_counted.began_at + v_hour - p_now))::integer
  end;
end
$$;

comment on function app.count_within_hour is
  'Counts what is done, such as "phone 8613800000000", within the hour that began with the first time. Returns null, '
  'or, above p_most, the seconds until it ends.';

-- Locks: old counts that no other transaction holds. Called last: whoever waits for one of these rows then never holds
-- one that this transaction still needs.
create or replace function app.forget_hourly_counts(p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  delete from app.hourly_counts as c
  where c.what = any (
    array(
      select o.what from app.hourly_counts as o where o.began_at <= p_now - interval '1 hour' order by o.began_at
      limit 100 for update skip locked
    )
  )
$$;

comment on function app.forget_hourly_counts is 'Deletes up to 100 counts of hours that are over.';

create or replace function app.network_of(p_address text)
returns text
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return network(set_masklen(p_address::inet, case family(p_address::inet) when 6 then 64 else 32 end))::text;
exception when data_exception then
  return null;
end
$$;

comment on function app.network_of is
  'Returns the network by which an address is counted: of IPv6 the first 64 bits. Null for any other text.';

-- A share code cannot be guessed. The limit keeps those who try from costing anything.
create or replace function app.count_asked_name(p_address text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_seconds integer := app.count_within_hour('names ' || coalesce(app.network_of(p_address), 'unknown'), 300, p_now);
begin
  if v_seconds is not null then
    perform app.fail(
      'too_many_requests',
      format(
        'The names of inviters were asked for too often from this address. Try again in %s minutes.',
        ceil(v_seconds / 60.0)
      ),
      p_retry_after => v_seconds
    );
  end if;
  perform app.forget_hourly_counts(p_now);
end
$$;

comment on function app.count_asked_name is
  'Counts that the name of an inviter is asked for from an address. Raises too_many_requests after 300 times within an '
  'hour.';

-- Locks: the counts of the address and the number, in this order.
create or replace function app.count_code(p_phone text, p_address text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_seconds integer;
begin
  if p_address is not null then
    v_seconds := app.count_within_hour('address ' || coalesce(app.network_of(p_address), p_address), 30, p_now);
  end if;
  v_seconds := coalesce(v_seconds, app.count_within_hour('phone ' || p_phone, 5, p_now));
  if v_seconds is not null then
    perform app.fail('too_many_requests', 'Too many sign-in codes were asked for.', p_retry_after => v_seconds);
  end if;
  perform app.forget_hourly_counts(p_now);
end
$$;

comment on function app.count_code is
  'Counts a sign-in code for a phone number, five an hour, and an address, thirty an hour. Raises too_many_requests '
  'above that.';
