-- Quotas: how often a member can do what within an hour, and how often the names of inviters can be asked for from an address.

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
  end into v_most from app.settings as s;
  if v_used.used > v_most then
    v_seconds := ceil(extract(epoch from v_used.began_at + v_hour - p_now))::integer;
    perform app.fail('too_many_requests', format(case p_kind
      when 'order' then 'You can place at most %s orders in an hour. Try again in %s minutes.'
      when 'cancellation' then 'You can cancel orders and withdrawals at most %s times in an hour. Try again in %s minutes.'
      when 'key' then 'You can make at most %s changes in an hour. Try again in %s minutes.'
      when 'profile_change' then 'You can change your profile at most %s times in an hour. Try again in %s minutes.'
      when 'poster' then 'Your poster can be drawn at most %s times in an hour. Try again in %s minutes.'
    end, v_most, ceil(v_seconds / 60.0)), p_retry_after => v_seconds);
  end if;
end
$$;

comment on function app.use_quota is
  'Counts what a member does now, a kind of app.used_quotas. Raises too_many_requests, with the seconds until the hour ends, if the member has '
  'done it as often as app.settings allows within the hour. The hour begins with the first time.';

-- A share code cannot be guessed. The limit keeps those who try from costing anything.
-- Locks: the count of the address, until the end of the transaction.
-- Not idempotent: each call counts.
create or replace function app.count_asked_name(p_address text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 300;
  v_hour constant timestamptz := date_bin('1 hour', p_now, '2000-01-01T00:00:00Z');
  v_network cidr := cidr '0.0.0.0/32';
  v_asked integer;
  v_seconds integer;
begin
  begin
    -- Who has an address of IPv6 has its whole network.
    v_network := coalesce(network(set_masklen(p_address::inet, case family(p_address::inet) when 6 then 64 else 32 end)), v_network);
  exception when data_exception then
    -- What is no address counts with the unknown ones.
    null;
  end;
  insert into app.asked_names as a (network, hour, asked) values (v_network, v_hour, 1)
  on conflict (network, hour) do update set asked = a.asked + 1
  returning a.asked into v_asked;
  if v_asked > v_most then
    v_seconds := ceil(extract(epoch from v_hour + interval '1 hour' - p_now))::integer;
    perform app.fail(
      'too_many_requests', format('The names of inviters were asked for too often from this address. Try again in %s minutes.', ceil(v_seconds / 60.0)),
      p_retry_after => v_seconds
    );
  end if;
end
$$;

comment on function app.count_asked_name is
  'Counts that the name of an inviter is asked for from an address. Raises too_many_requests, with the seconds until the hour ends, after 300 times '
  'within an hour. Unknown addresses share one count.';
