-- What clients may call about real names. The edge functions encrypt and decrypt: what leaves the database is masked,
-- or a ciphertext.

-- Security definer: the function has no parameter and reads only the member of the verified token. No client role may
-- read the table.
create or replace function api.get_real_name()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.real_name_json(app.require_uid());
end
$$;

comment on function api.get_real_name is
  'Returns the real name that the caller gave, masked (app.real_name_json). Serves GET /api/real_name.';

grant execute on function api.get_real_name() to authenticated, store_admin;

-- Locks: the quota, then the balances of the caller.
-- Not idempotent: each call replaces the real name.
create or replace function api.set_real_name(
  p_document text, p_name_mask text, p_number_mask text, p_ciphertext text, p_key_id text, p_person text,
  p_index_key_id text
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.use_quota(v_uid, 'real_name', clock_timestamp());
  perform app.give_real_name(
    v_uid, p_document, p_name_mask, p_number_mask, p_ciphertext, p_key_id, p_person, p_index_key_id, null
  );
  return app.real_name_json(v_uid);
end
$$;

comment on function api.set_real_name is
  'Stores the real name of the caller, encrypted by the edge function (app.give_real_name), and returns it masked. '
  'Serves PUT /api/real_name.';

grant execute on function api.set_real_name(text, text, text, text, text, text, text) to authenticated, store_admin;

-- Security definer: no client role may read the table.
create or replace function api.admin_get_real_name(p_uid bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  perform app.require_user(p_uid);
  return app.real_name_json(p_uid)
    || jsonb_build_object(
      'decided_by', (select app.actor_json(r.decided_by) from app.real_names as r where r.uid = p_uid)
    );
end
$$;

comment on function api.admin_get_real_name is
  'Returns the real name of a member, masked, and who decided about it. Serves GET /adminapi/user/{uid}/real_name.';

grant execute on function api.admin_get_real_name(bigint) to store_admin;

-- Not idempotent: each call is recorded.
create or replace function api.read_real_name(p_uid bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name app.real_names;
begin
  perform app.require_admin('money');
  select r.* into v_name from app.real_names as r where r.uid = p_uid;
  if not found then
    perform app.fail('real_name_not_found');
  end if;
  perform app.record_action(
    'read_real_name', 'member', p_uid::text, null, jsonb_build_object('document', v_name.document)
  );
  return jsonb_build_object('uid', v_name.uid, 'ciphertext', encode(v_name.ciphertext, 'hex'), 'key_id', v_name.key_id);
end
$$;

comment on function api.read_real_name is
  'Returns the ciphertext of a member''s real name, which the edge function decrypts, and records that the '
  'administrator reads it. Serves POST /adminapi/user/{uid}/real_name.';

grant execute on function api.read_real_name(bigint) to store_admin;

-- Locks: the balances of the member, then the real name.
-- Idempotent: a decision that stands is left as it is.
create or replace function api.decide_real_name(p_uid bigint, p_id bigint, p_state text, p_reason text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.real_names;
  v_after app.real_names;
begin
  perform app.require_admin('money');
  perform app.reject_own_member(p_uid);
  if p_state is null or p_state not in ('checked', 'refused') then
    perform app.fail('invalid_argument', 'A real name is checked or refused.', '/state');
  elsif not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif (p_state = 'refused') <> coalesce(app.is_visible(p_reason), false) or char_length(p_reason) > 500 then
    perform app.fail(
      'invalid_argument', 'A refused real name has a reason of 1 to 500 characters, a checked one has none.', '/reason'
    );
  end if;
  v_before := app.lock_real_name(p_id);
  if v_before.uid is distinct from p_uid then
    perform app.fail('changed_meanwhile', 'The member has given another real name. Look at it first.');
  end if;
  v_after := app.decide_real_name(v_before, p_state, p_reason, auth.uid(), clock_timestamp());
  perform app.record_action(
    'decide_real_name', 'member', p_uid::text, jsonb_build_object('state', v_before.state, 'reason', v_before.reason),
    jsonb_build_object('state', v_after.state, 'reason', v_after.reason), '{state}'
  );
  return api.admin_get_real_name(p_uid);
end
$$;

comment on function api.decide_real_name is
  'Records that an administrator checked or refused the real name p_id of a member, with a reason that the member '
  'sees. Returns it, masked. Serves PUT /adminapi/user/{uid}/real_name.';

grant execute on function api.decide_real_name(bigint, bigint, text, text) to store_admin;

-- Security definer: no client role may read the table.
create or replace function api.get_real_name_to_check(p_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('uid', r.uid, 'ciphertext', encode(r.ciphertext, 'hex'), 'key_id', r.key_id)
  from app.real_names as r where r.id = p_id and r.state = 'given'
$$;

comment on function api.get_real_name_to_check is
  'Returns the ciphertext of a real name that waits for the provider; null if it was replaced or decided.';

grant execute on function api.get_real_name_to_check(bigint) to service_role;

-- Locks: the balances of the member, then the real name.
-- Idempotent: only what waits is decided.
create or replace function api.record_real_name_check(p_id bigint, p_is_confirmed boolean)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name app.real_names := app.lock_real_name(p_id);
begin
  perform app.decide_real_name(
    v_name, case when p_is_confirmed then 'checked' else 'refused' end, null, null, clock_timestamp()
  )
  where v_name.state = 'given' and p_is_confirmed is not null;
  perform app.finish_outbox('real_name_check', p_id::text);
  return jsonb_build_object('id', p_id);
end
$$;

comment on function api.record_real_name_check is
  'Records whether the provider confirms a real name, unless it was decided meanwhile, and removes the call from the '
  'outbox. Null: there was nothing to ask.';

grant execute on function api.record_real_name_check(bigint, boolean) to service_role;
