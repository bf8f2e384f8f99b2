-- Addresses of members.

create or replace function app.address_json(p_address app.addresses)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_address.address || jsonb_build_object(
    'id', p_address.id, 'is_default', p_address.is_default, 'add_time', app.utc(p_address.add_time), 'updated_at',
    app.utc(p_address.updated_at)
  )
$$;

comment on function app.address_json is 'Returns an address of an address book in the format of the API.';

-- Precondition: the transaction holds no other lock.
-- Locks: an advisory lock for the member's address book, so that concurrent changes leave one default and no more than
-- the limit.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_addresses()
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform pg_advisory_xact_lock(hashtextextended(v_uid::text, app.lock_number('addresses')));
  return v_uid;
end
$$;

comment on function app.lock_addresses is
  'Locks the address book of the caller and returns the caller''s uid. Raises unauthenticated.';

create or replace function app.own_address(p_uid bigint, p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_address jsonb;
begin
  select a.address into v_address from app.addresses as a where a.id = p_id and a.uid = p_uid;
  if not found then
    perform app.fail('address_not_found');
  end if;
  return v_address;
end
$$;

comment on function app.own_address is 'Returns an address of a member''s address book. Raises address_not_found.';

create or replace function app.require_address(p_address jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not coalesce(app.is_address(p_address), false) then
    perform app.fail(
      'invalid_argument',
      'An address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.',
      '/address'
    );
  end if;
end
$$;

comment on function app.require_address is
  'Raises invalid_argument unless the value is a complete address (app.is_address).';

-- Precondition: the caller has locked the address book.
create or replace function app.set_default_address(p_uid bigint, p_id bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two statements, because a member has one default at any moment.
  update app.addresses as a set is_default = false where a.uid = p_uid and a.is_default and a.id <> p_id;
  update app.addresses as a set is_default = true where a.uid = p_uid and not a.is_default and a.id = p_id;
end
$$;

comment on function app.set_default_address is 'Makes an address of a member the default one, in place of another.';
