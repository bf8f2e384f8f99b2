-- The outbox: calls to other servers, written in the transaction of their cause and leased by the worker.

create table app.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  lane text not null generated always as (
    case when kind in ('member_mail', 'member_wechat') then 'messages' else 'calls' end
  ) stored,
  key text not null,
  payload jsonb not null default '{}',
  state text not null default 'waiting',
  attempts smallint not null default 0,
  run_after timestamptz not null,
  last_problem text,
  created_at timestamptz not null,
  constraint what_is_to_be_done_is_written_once unique (kind, key),
  constraint kind_is_a_name check (kind ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint key_is_a_short_text check (char_length(key) between 1 and 128),
  constraint payload_is_an_object check (jsonb_typeof(payload) = 'object'),
  constraint state_is_known check (state in ('waiting', 'failed')),
  constraint attempts_are_not_negative check (attempts >= 0),
  constraint last_problem_is_a_short_text check (char_length(last_problem) <= 500)
);
comment on table app.outbox is
  'Calls to providers that the worker makes in the background. The transaction of the cause writes the row; the one '
  'that records the final result deletes it.';
comment on column app.outbox.lane is 'calls, or messages (to members), for which no call waits.';
comment on column app.outbox.run_after is 'When the row is due. A lease moves it to the end of the lease.';
comment on column app.outbox.state is 'waiting, or failed: not tried again until an administrator retries it.';

create index outbox_due_idx on app.outbox (lane, run_after, id) where state = 'waiting';
create index outbox_failed_idx on app.outbox (id) where state = 'failed';

alter table app.outbox enable row level security;
create policy admins_read_outbox on app.outbox for select to store_admin, service_role using (true);
grant select on app.outbox to store_admin, service_role;

-- Precondition: called in the transaction that causes the call.
-- Idempotent: a row that exists is due at the earlier of both times.
create or replace function app.add_to_outbox(
  p_kind text, p_key text, p_payload jsonb, p_run_after timestamptz, p_now timestamptz
)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.outbox (kind, key, payload, run_after, created_at) values (
    p_kind, p_key, p_payload, p_run_after, p_now
  )
  on conflict (kind, key) do update set run_after = least(outbox.run_after, excluded.run_after), state = 'waiting'
$$;

comment on function app.add_to_outbox is
  'Writes a call to a provider to the outbox. One of the same kind and key becomes due at the earlier of both times '
  'instead.';

-- Without pg_net or without the secrets it does nothing: the local stack calls its worker itself. The names of schemas
-- net and vault are inserted into dynamic SQL, because they do not exist everywhere, and linters check constant texts.
-- Idempotent: a worker takes only rows that are due.
create or replace function app.call_worker()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_url text;
  v_secret text;
begin
  if not exists (
    select from app.outbox as o
    where o.lane in ('calls', 'messages') and o.state = 'waiting' and o.run_after <= clock_timestamp()
  )
    and not exists (select from app.due_webhooks(clock_timestamp())) and app.clock_state(clock_timestamp()) = 'ok'
    or to_regnamespace('net') is null or to_regclass('vault.decrypted_secrets') is null then
    return;
  end if;
  execute format($sql$
    select max(s.decrypted_secret) filter (where s.name = 'store_worker_url'),
      max(s.decrypted_secret) filter (where s.name = 'store_worker_secret')
    from %s as s where s.name in ('store_worker_url', 'store_worker_secret')
  $sql$, to_regclass('vault.decrypted_secrets')) into v_url, v_secret;
  if v_url is null or v_secret is null then
    raise warning 'The worker has work, but the secrets store_worker_url and store_worker_secret are not in Vault (docs/operations.md).';
    return;
  end if;
  execute format($sql$
    select %I.http_post(
      url => $1, body => '{}'::jsonb,
      headers => jsonb_build_object('content-type', 'application/json', 'x-worker-secret', $2)
    )
  $sql$, 'net') using v_url, v_secret;
end
$$;

comment on function app.call_worker is
  'Calls the edge function worker by pg_net if there is due work or the clock may be wrong, as store_worker_url and '
  'store_worker_secret in Vault say.';

-- Idempotent: a finished row is gone.
create or replace function app.finish_outbox(p_kind text, p_key text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  delete from app.outbox as o where o.kind = p_kind and o.key = p_key
$$;

comment on function app.finish_outbox is 'Removes a call whose final result is recorded from the outbox.';

create or replace function app.lease_duration()
returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select interval '90 seconds'
$$;

comment on function app.lease_duration is
  'Returns how long a worker may take for a row of the outbox: longer than all time limits of a call together.';

-- Locks: the leased rows, without waiting.
-- Not idempotent: each call leases other rows. Concurrent calls never lease the same row, and a row whose worker
-- stopped is due again after the lease. A call is therefore made at least once; its number at the provider makes it
-- take effect once.
create or replace function app.lease_outbox(p_limit integer, p_now timestamptz, p_lane text default 'calls')
returns setof app.outbox
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.outbox as o
  set attempts = least(o.attempts + 1, 1000), run_after = p_now + app.lease_duration()
  from (
    select d.id from app.outbox as d
    where d.lane = p_lane and d.state = 'waiting' and d.run_after <= p_now
    order by d.run_after, d.id
    limit p_limit
    for update skip locked
  ) as due
  where o.id = due.id
  returning o.*
$$;

comment on function app.lease_outbox is
  'Takes up to p_limit due rows of a lane of the outbox for one worker and returns them.';

create or replace function app.outbox_json(p_row app.outbox)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_row.id, 'kind', p_row.kind, 'key', p_row.key, 'order_id', (p_row.payload ->> 'order_id')::bigint,
    'withdrawal_id', (p_row.payload ->> 'withdrawal_id')::bigint, 'state', p_row.state,
    'attempts', p_row.attempts, 'run_after', app.utc(p_row.run_after), 'last_problem', p_row.last_problem,
    'created_at', app.utc(p_row.created_at)
  )
$$;

comment on function app.outbox_json is 'Returns a row of the outbox as administrators see it, without its payload.';

grant execute on function app.outbox_json(app.outbox) to store_admin;

-- Not idempotent: a repeated call postpones the row again. A late call for an earlier lease changes nothing
-- (p_attempt).
create or replace function app.postpone_outbox(p_id bigint, p_attempt integer, p_problem text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.outbox as o
  set run_after = p_now + least(interval '5 seconds' * power(2, least(o.attempts, 12)), interval '1 hour'),
      state = case when p_problem is not null and o.attempts >= 20 then 'failed' else 'waiting' end,
      attempts = case when p_problem is null then least(o.attempts, 10) else o.attempts end,
      last_problem = left(p_problem, 500)
  where o.id = p_id and o.attempts = p_attempt and o.state = 'waiting'
$$;

comment on function app.postpone_outbox is
  'Makes a leased row of the outbox due again: after 10 seconds, doubled with each attempt, at most an hour. With a '
  'problem, it is failed after the twentieth attempt (about half a day). Ignores an attempt other than the leased one.';
