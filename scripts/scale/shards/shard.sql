-- Makes a new, empty store a shard (docs/scale.md, "Many machines"). The superuser of the local stack runs it once,
-- with the settings router.shards (how many there are, a power of two) and router.shard (which one this is).
create schema router;
grant usage on schema router to store_api;

-- Ids that a request names say which shard has the row: they are the number of the shard modulo the number of shards.
do $$
declare
  v_shards constant bigint := current_setting('router.shards');
  v_shard constant bigint := current_setting('router.shard');
  v_sequence record;
  v_next bigint;
begin
  for v_sequence in select s.sequencename, coalesce(s.last_value + 1, s.start_value) as next
    from pg_catalog.pg_sequences as s where s.schemaname = 'app' order by s.sequencename loop
    v_next := v_sequence.next + (v_shard - v_sequence.next % v_shards + v_shards) % v_shards;
    execute format('alter sequence app.%I increment by %s restart with %s', v_sequence.sequencename, v_shards, v_next);
  end loop;
end
$$;

-- A remote error keeps its SQLSTATE but loses its message, detail and column, and PL/Proxy drops the connection. So
-- errors are answered as data, and the router raises them again.
create function router.answer_caller(p_claims jsonb, p_function text, p_args jsonb, p_key text, p_request_id text)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_message text;
  v_detail text;
  v_column text;
begin
  return jsonb_build_object('result', app.as_caller(p_claims, p_function, p_args, p_key, p_request_id));
exception when others then
  get stacked diagnostics v_message = message_text, v_detail = pg_exception_detail, v_column = column_name;
  return jsonb_build_object('state', sqlstate, 'message', v_message, 'detail', v_detail, 'column', v_column);
end
$$;
comment on function router.answer_caller is
  'Runs app.as_caller and returns {result}, or the error as {state, message, detail, column}.';

create function router.answer_service(p_function text, p_args jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_message text;
  v_detail text;
  v_column text;
begin
  return jsonb_build_object('result', app.as_service(p_function, p_args));
exception when others then
  get stacked diagnostics v_message = message_text, v_detail = pg_exception_detail, v_column = column_name;
  return jsonb_build_object('state', sqlstate, 'message', v_message, 'detail', v_detail, 'column', v_column);
end
$$;
comment on function router.answer_service is
  'Runs app.as_service and returns {result}, or the error as {state, message, detail, column}.';

revoke execute on all functions in schema router from public;
grant execute on function router.answer_caller(jsonb, text, jsonb, text, text),
  router.answer_service(text, jsonb) to store_api, postgres;

-- Security definer: the router calls it for the Auth server, which has no rights here. Idempotent: an account has one
-- member. If the sign-up is rolled back at home, the member remains, and nobody can sign in as them.
create function router.sign_up(p_account uuid, p_metadata jsonb, p_phone text)
returns bigint
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into auth.users (id, raw_user_meta_data, phone, email_confirmed_at, phone_confirmed_at)
  values (p_account, p_metadata, p_phone, now(), case when p_phone is not null then now() end)
  on conflict (id) do nothing;
  return (select u.uid from app.users as u where u.auth_id = p_account);
end
$$;
comment on function router.sign_up is
  'Creates the account and, by its trigger, the member. The account here has no password and is confirmed: people '
  'sign in, and confirm their address, at home.';
alter function router.sign_up(uuid, jsonb, text) owner to postgres;
revoke execute on function router.sign_up(uuid, jsonb, text) from public;
grant execute on function router.sign_up(uuid, jsonb, text) to postgres;
grant usage on schema router to postgres;

-- What app.require_admin asks of the account of an administrator. Replicated from home.
create table router.admin_accounts (id uuid primary key, role text, banned_until timestamptz, deleted_at timestamptz);

create function router.copy_admin_account()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into auth.users (id, role, banned_until, deleted_at) values (
    new.id, new.role, new.banned_until, new.deleted_at
  )
  on conflict (id) do update set role = excluded.role, banned_until = excluded.banned_until,
    deleted_at = excluded.deleted_at;
  return new;
end
$$;
create trigger accounts_follow_those_at_home after insert
  or update on router.admin_accounts for each row execute function router.copy_admin_account();
-- The replication applies changes as a replica, in which other triggers do not run. So no member is made of an
-- administrator here.
alter table router.admin_accounts enable always trigger accounts_follow_those_at_home;

-- What a shard is from now on.
delete from app.manifest;
insert into app.manifest select * from app.catalogue();
