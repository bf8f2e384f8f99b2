-- Real names of members: taken encrypted, checked, asked for before large withdrawals, and encrypted anew with other
-- keys. Name and number never come here (docs/decisions/0131-the-database-never-has-a-real-name.md).

create or replace function app.missing_real_name(p_uid bigint)
returns table (amount_from numeric, state text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select s.real_name_from, coalesce(r.state, 'none')
  from app.settings as s left join app.real_names as r on r.uid = p_uid
  where s.real_name_from is not null
    and not coalesce(r.state = 'checked' or (r.state = 'given' and s.real_name_check = 'none'), false)
$$;

comment on function app.missing_real_name is
  'Returns from which amount on a member cannot withdraw without a real name, and its state: none, given (it waits for '
  'its check) or refused. No row if nothing is missing.';

-- Precondition: the caller has locked the balances of the member, under which app.give_real_name and
-- app.decide_real_name change the answer.
create or replace function app.require_real_name(p_uid bigint, p_amount numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_missing record;
begin
  -- Row order: one row at most.
  select m.* into v_missing from app.missing_real_name(p_uid) as m where p_amount >= m.amount_from;
  if found then
    perform app.fail('real_name_required', case v_missing.state
      when 'none' then format(
        'From %s on, the store needs your real name. Give it, and request the withdrawal again.', v_missing.amount_from
      )
      when 'given' then 'Your real name is being checked. Request the withdrawal when that is done.'
      else 'Your real name was refused. Give it again, as it is on the document.'
    end);
  end if;
end
$$;

comment on function app.require_real_name is
  'Raises real_name_required if the settings want the real name of the member for this amount, and it is missing.';

-- Idempotent: a real name is asked about once.
create or replace function app.ask_provider_about(p_id bigint, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox('real_name_check', p_id::text, jsonb_build_object('real_name_id', p_id), p_now, p_now)
$$;

comment on function app.ask_provider_about is 'Adds the call to the outbox that asks the provider about a real name.';

create or replace function app.real_name_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', u.uid, 'id', r.id, 'state', coalesce(r.state, 'none'), 'document', r.document, 'name', r.name_mask, 'number',
    r.number_mask, 'reason', r.reason,
    'given_at', app.utc(r.given_at), 'decided_at', app.utc(r.decided_at)
  )
  from app.users as u left join app.real_names as r on r.uid = u.uid where u.uid = p_uid
$$;

comment on function app.real_name_json is
  'Returns the real name of a member in the format of the API, masked. Without one, state is none and the rest null.';

-- Locks: balances of the member, as app.request_withdrawal does, so that what a withdrawal was requested with stays
-- until it ends.
-- Not idempotent: each call replaces the real name.
create or replace function app.give_real_name(
  p_uid bigint, p_document text, p_name_mask text, p_number_mask text, p_ciphertext text, p_key_id text, p_person text,
  p_index_key_id text, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_person bytea := app.require_hex(p_person, 32, '/person');
  v_ciphertext bytea := app.require_hex(p_ciphertext, length(p_ciphertext) / 2, '/ciphertext');
  v_now timestamptz;
  v_id bigint;
begin
  if (
    p_document in ('id_card', 'passport', 'hk_macao_permit', 'taiwan_permit')
    and octet_length(v_ciphertext) between 29 and 1000
    and p_name_mask ~ '^[^*]\*\*$' and p_number_mask ~ '^[0-9A-Z]\*{1,30}[0-9A-Z]$' and p_key_id ~ '^[0-9a-f]{16}$'
    and p_index_key_id ~ '^[0-9a-f]{16}$'
  ) is not true then
    perform app.fail('invalid_argument', 'This is not an encrypted real name.');
  end if;
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  if (select s.real_name_from from app.settings as s) is null then
    perform app.fail('invalid_argument', 'The store asks for no real names.');
  elsif exists (select from app.real_names as r where r.uid = p_uid and r.state = 'checked') then
    perform app.fail('real_name_fixed', 'Your real name is checked. Ask the store if it has changed.');
  elsif exists (
    select from app.real_names as r join app.withdrawals as w on w.uid = r.uid
    where r.uid = p_uid and r.state = 'given' and w.ended_at is null
  ) then
    perform app.fail('real_name_fixed', 'A withdrawal is not finished yet. Wait for its end, or cancel it.');
  end if;
  delete from app.real_names as r where r.uid = p_uid;
  insert into app.real_names (uid, document, name_mask, number_mask, ciphertext, key_id, person, index_key_id, given_at)
  values (p_uid, p_document, p_name_mask, p_number_mask, v_ciphertext, p_key_id, v_person, p_index_key_id, v_now)
  returning id into v_id;
  perform app.ask_provider_about(v_id, v_now) from app.settings as s where s.real_name_check = 'provider';
end
$$;

comment on function app.give_real_name is
  'Stores the encrypted real name of a member, in place of one that is not checked. Bytes are hexadecimal digits. '
  'Raises real_name_fixed for one that is checked, or with which an open withdrawal was requested.';

-- Locks: balances of the member, then the real name.
create or replace function app.lock_real_name(p_id bigint)
returns app.real_names
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name app.real_names;
begin
  perform app.lock_balances(array[r.uid]) from app.real_names as r where r.id = p_id;
  select r.* into v_name from app.real_names as r where r.id = p_id for update;
  return v_name;
end
$$;

comment on function app.lock_real_name is
  'Locks the balances of a member, then the real name, and returns it; null if it was replaced or deleted.';

-- Precondition: the caller has locked the real name.
-- Idempotent: a decision that stands is left as it is.
create or replace function app.decide_real_name(
  p_name app.real_names, p_state text, p_reason text, p_by uuid, p_now timestamptz
)
returns app.real_names
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name app.real_names := p_name;
begin
  if p_name.state <> p_state then
    update app.real_names as r set state = p_state, reason = p_reason, decided_by = p_by, decided_at = p_now
    where r.id = p_name.id returning r.* into v_name;
    perform app.write_event('name.' || p_state, v_name.uid, v_name.uid, '{}', p_now);
  end if;
  perform app.finish_outbox('real_name_check', p_name.id::text);
  return v_name;
end
$$;

comment on function app.decide_real_name is
  'Records that a real name was checked or refused, tells the member, and returns it. p_by null: the provider. The '
  'last decision stands.';

-- A real name whose ciphertext is another one by now was given or rotated again, and is left as it is.
-- Locks: the rows, by id.
-- Idempotent: a row that has been encrypted anew has another ciphertext.
create or replace function app.rotate_real_names(p_rows jsonb)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rotated integer;
begin
  perform from app.real_names as r
  where r.id in (select (l.value ->> 'id')::bigint from jsonb_array_elements(p_rows) as l) order by r.id for update;
  update app.real_names as r
  set ciphertext = decode(l.value ->> 'ciphertext', 'hex'), key_id = l.value ->> 'key_id',
    person = decode(l.value ->> 'person', 'hex'), index_key_id = l.value ->> 'index_key_id'
  from jsonb_array_elements(p_rows) as l
  where r.id = (l.value ->> 'id')::bigint and r.ciphertext = decode(l.value ->> 'former', 'hex');
  get diagnostics v_rotated = row_count;
  return v_rotated;
end
$$;

comment on function app.rotate_real_names is
  'Replaces the ciphertexts and blind indexes of real names by those of other keys, and returns how many. p_rows: '
  '[{id, former, ciphertext, key_id, person, index_key_id}]; former is the ciphertext that was decrypted.';

-- Whoever withholds tax keeps its records for ten years (Rules for the Implementation of the Law on the Administration
-- of Tax Collection, article 29).
-- Locks: the rows, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_real_names(p_now timestamptz, p_limit integer)
returns integer
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with forgotten as (
    delete from app.real_names as r
    where r.id = any (array(
      select o.id from app.real_names as o join app.users as u on u.uid = o.uid
      where u.auth_id is null and not exists (
        select from app.tax_withholdings as t
        where t.uid = o.uid and t.month >= date_trunc('year', app.month_of(p_now)::timestamp) - interval '10 years'
      )
      order by o.id limit p_limit for update of o skip locked
    ))
    returning r.id, r.uid
  ), texts as (
    update app.tax_allowances as a set reason = app.forgotten_text() where a.uid in (select f.uid from forgotten as f)
  )
  select count(*)::integer from forgotten
$$;

comment on function app.forget_real_names is
  'Deletes up to p_limit real names of deleted members and the reasons of their tax allowances, and returns how many. '
  'They are kept for ten years after the year in which tax was last withheld.';
