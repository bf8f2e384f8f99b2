-- What clients may call about health, metrics and their own data, and the worker about texts that WeChat checks.

-- Locks: the one row of the clock, only where something changes.
-- Idempotent: see app.hear_clock.
create or replace function api.report_clock(p_clock timestamptz)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_time(p_clock);
  perform app.hear_clock(p_clock, clock_timestamp());
  return jsonb_build_object('clock', app.clock_state(clock_timestamp()));
end
$$;

comment on function api.report_clock is
  'Compares the clock of the database with that of an edge function, p_clock, and returns the state of the clock. The worker calls it first, '
  'and the edge function api when it starts.';

grant execute on function api.report_clock(timestamptz) to service_role;

-- Not idempotent: each part that is read is recorded.
create or replace function api.export_member(p_uid bigint, p_cursor text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_part jsonb;
begin
  perform app.require_admin('money');
  v_part := app.export_member(p_uid, p_cursor);
  perform app.record_action('export_member', 'member', p_uid::text, null, jsonb_build_object('is_complete', v_part -> 'next_cursor' = 'null'));
  return v_part;
end
$$;

comment on function api.export_member is
  'Returns the next part of everything that the store knows about a member (app.export_member), and records that it was read. Serves POST /adminapi/user/{uid}/export.';

grant execute on function api.export_member(bigint, text) to store_admin;

-- Locks: see app.count_code.
-- Not idempotent: each call counts.
create or replace function api.count_code(p_phone text, p_address text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_phone !~ '^[1-9][0-9]{4,14}$' is not false or char_length(p_address) > 64 then
    perform app.fail('invalid_argument', 'A phone number has digits only, with the country code in front.');
  end if;
  perform app.count_code(p_phone, p_address, clock_timestamp());
  return '{}'::jsonb;
end
$$;

comment on function api.count_code is
  'Counts a sign-in code that is about to be sent (app.count_code). Serves POST /worker/sms, which has verified the message of the Auth server.';

grant execute on function api.count_code(text, text) to service_role;

-- Locks: the count of the caller's exports; with the last part, their open request for a copy.
-- Not idempotent: the first part of each export counts, and the last one is entered in the register.
create or replace function api.export_me(p_cursor text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_part jsonb;
begin
  perform app.use_quota(v_uid, 'export', clock_timestamp()) where p_cursor is null;
  v_part := app.export_member(v_uid, p_cursor);
  perform app.enter_own_copy(v_uid, clock_timestamp()) where v_part -> 'next_cursor' = 'null';
  return v_part;
end
$$;

comment on function api.export_me is
  'Returns the next part of everything that the store knows about the caller (app.export_member). The last part is entered in the register as a copy that they got '
  '(app.enter_own_copy). Serves POST /api/user/export.';

grant execute on function api.export_me(text) to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. Client roles cannot read auth.sessions.
create or replace function api.get_deletion()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.deletion_json(app.require_uid(), clock_timestamp()) || jsonb_build_object(
    'needs_sign_in', not app.has_signed_in_lately()
  );
end
$$;

comment on function api.get_deletion is
  'Returns whether the account of the caller waits for its deletion, what they would give up, what stands in its way, and whether they must sign in again '
  'before they can ask for it. Serves GET /api/user/deletion.';

grant execute on function api.get_deletion() to authenticated, store_admin;

-- Locks: see app.request_deletion.
-- Idempotent: see app.request_deletion.
create or replace function api.request_deletion(p_brokerage numeric, p_frozen_points numeric, p_available_points numeric)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.require_recent_sign_in();
  perform app.request_deletion(v_uid, p_brokerage, p_frozen_points, p_available_points, null);
  return api.get_deletion();
end
$$;

comment on function api.request_deletion is
  'Asks for the deletion of the account of the caller, who signed in at most 15 minutes ago and repeats the amounts that they give up, and returns it. Serves '
  'POST /api/user/deletion.';

grant execute on function api.request_deletion(numeric, numeric, numeric) to authenticated, store_admin;

-- Locks: see app.cancel_deletion.
-- Idempotent: see app.cancel_deletion.
create or replace function api.cancel_deletion()
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.cancel_deletion(app.require_uid(), null);
  return api.get_deletion();
end
$$;

comment on function api.cancel_deletion is 'Keeps the account of the caller, whatever was asked for before, and returns that. Serves DELETE /api/user/deletion.';

grant execute on function api.cancel_deletion() to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the account of the verified token. Client roles cannot read auth.sessions.
create or replace function api.get_sessions()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_uid();
  return (
    with sessions as materialized (
      select s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'UTC') as used_at, left(s.user_agent, 512) as user_agent, host(s.ip) as ip
      from auth.sessions as s
      where s.user_id = auth.uid() and coalesce(s.not_after > clock_timestamp(), true)
    )
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'is_current', coalesce(l.id::text = auth.jwt() ->> 'session_id', false), 'began_at', app.utc(l.created_at), 'used_at', app.utc(l.used_at),
      'user_agent', l.user_agent, 'ip', l.ip
    ) order by l.used_at desc, l.id), (select count(*) from sessions))
    from (select s.* from sessions as s order by s.used_at desc, s.id limit 100) as l
  );
end
$$;

comment on function api.get_sessions is
  'Returns where the caller is signed in, the last used session first, at most 100 of them. Serves GET /api/user/session.';

grant execute on function api.get_sessions() to authenticated, store_admin;

-- Locks: the sessions.
-- Idempotent without p_id: a session that has ended is gone. With it, a second call raises session_not_found.
create or replace function api.end_sessions(p_id uuid default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  perform app.require_uid();
  delete from auth.sessions as s
  where s.user_id = auth.uid() and case when p_id is null then s.id::text is distinct from auth.jwt() ->> 'session_id' else s.id = p_id end;
  get diagnostics v_ended = row_count;
  if v_ended = 0 and p_id is not null then
    perform app.fail('session_not_found');
  end if;
  return jsonb_build_object('ended', v_ended);
end
$$;

comment on function api.end_sessions is
  'Ends one session of the caller, or all but the present one, and returns how many. An access token stays valid until it expires, within the hour, and is '
  'not renewed. Serves DELETE /api/user/session and DELETE /api/user/session/{id}.';

grant execute on function api.end_sessions(uuid) to authenticated, store_admin;

-- Security definer: the service may see these sums but not the tables of pg_cron behind them.
create or replace function api.get_metrics()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(app.metrics_text(clock_timestamp()))
$$;

comment on function api.get_metrics is
  'Returns the metrics of the store in the text format of Prometheus, as a JSON string. The edge function has checked the token of the '
  'monitoring system. Serves GET /adminapi/metrics.';

grant execute on function api.get_metrics() to service_role;

create or replace function api.get_system_metadata(p_version text, p_commit text default null)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'name', 'referral-commission-store', 'version', p_version, 'api_version', '1', 'commit', p_commit, 'site_name', s.site_name,
    'logo', s.logo, 'colour', s.colour, 'contact_phone', s.contact_phone, 'contact_wechat', s.contact_wechat, 'contact_hours', s.contact_hours
  )
  from app.settings as s
$$;

comment on function api.get_system_metadata is
  'Returns the name, versions, site name, logo, colour and contact of this store. p_version and p_commit are those of the edge function. Serves GET '
  '/api/system/metadata.';

grant execute on function api.get_system_metadata(text, text) to anon, authenticated, store_admin;

-- Security definer: every role may see these sums but not the rows behind them.
create or replace function api.get_health()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.health_json(clock_timestamp())
$$;

comment on function api.get_health is
  'Returns the state of the settlement jobs, the latest release and the status. status is degraded if an order could not be '
  'settled, a job is due for more than five minutes, no scheduler runs the jobs, the clock may be wrong, or the database is not as installed. Serves GET /api/health.';

grant execute on function api.get_health() to anon, authenticated, store_admin;

-- Security definer: client roles may not read the migration history.
create or replace function api.admin_get_system_metadata(p_version text, p_runtime text, p_commit text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_migration text;
begin
  perform app.require_admin();
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into v_migration;
  end if;
  return api.get_system_metadata(p_version, p_commit) || api.get_health() || jsonb_build_object(
    'runtime', p_runtime, 'database_version', current_setting('server_version'), 'migration', v_migration
  );
end
$$;

comment on function api.admin_get_system_metadata is
  'Returns the public metadata and health with the versions of runtime, database and schema. '
  'Serves GET /adminapi/system/metadata.';

grant execute on function api.admin_get_system_metadata(text, text, text) to store_admin;

-- Security definer: no client role may read app.wechat_accounts.
create or replace function api.get_text_check(p_subject text, p_id bigint, p_digest text, p_appid text)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object('openid', w.openid, 'text', t.text)
    from (
      select u.auth_id, u.nickname from app.users as u where p_subject = 'nickname' and u.uid = p_id
      union all
      select u.auth_id, r.reason from app.refunds as r join app.orders as o on o.id = r.order_id join app.users as u on u.uid = o.uid
      where p_subject = 'refund_reason' and r.id = p_id
    ) as t (auth_id, text)
    join app.wechat_accounts as w on w.auth_id = t.auth_id and w.appid = p_appid
    where app.text_digest(t.text) = p_digest
    order by w.openid limit 1
  );
end
$$;

comment on function api.get_text_check is
  'Returns a text that WeChat is to check, and the openid of the member in the mini program: {openid, text}. Null if the text was changed or is gone, or the member never '
  'opened this mini program.';

grant execute on function api.get_text_check(text, bigint, text, text) to service_role;

-- Locks: the member, or the refund.
-- Idempotent: a replaced nickname is another text, and a repeated answer about a reason says the same.
create or replace function api.record_text_check(p_subject text, p_id bigint, p_digest text, p_verdict text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  if not coalesce(p_subject in ('nickname', 'refund_reason') and p_verdict in ('pass', 'review', 'risky'), false) then
    perform app.fail('invalid_argument', 'A text is a nickname or a refund reason, and passes, needs a review, or is risky.');
  elsif p_subject = 'nickname' and p_verdict <> 'pass' then
    update app.users as u
    set nickname = case p_verdict when 'risky' then app.neutral_nickname() else u.nickname end, nickname_in_doubt = p_verdict = 'review'
    where u.uid = p_id and app.text_digest(u.nickname) = p_digest and u.nickname <> app.neutral_nickname()
    returning u.uid into v_uid;
    perform app.write_event('profile.nickname_replaced', v_uid, v_uid, '{}', clock_timestamp()) where v_uid is not null and p_verdict = 'risky';
  elsif p_verdict <> 'pass' then
    update app.refunds as r set reason_check = p_verdict where r.id = p_id and app.text_digest(r.reason) = p_digest;
  end if;
  perform app.finish_outbox('text_check', concat_ws('_', p_subject, p_id, p_digest));
  return jsonb_build_object();
end
$$;

comment on function api.record_text_check is
  'Records what WeChat says of a text, if the member still has it: a risky nickname becomes the neutral one, of which the member is told; a doubtful nickname and a risky or '
  'doubtful reason are marked for administrators.';

grant execute on function api.record_text_check(text, bigint, text, text) to service_role;
