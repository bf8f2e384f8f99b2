-- What administrators may call to find something.

create or replace function api.search(p_text text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text constant text := btrim(p_text);
  v_found jsonb := jsonb '{"members": [], "orders": [], "withdrawals": [], "batches": [], "bill_rows": []}';
begin
  perform app.require_admin(null);
  if v_text is null or char_length(v_text) not between 1 and 64 or not app.is_line(v_text) then
    perform app.fail('invalid_argument', 'Search for a line of 1 to 64 characters.');
  end if;
  if app.may_change('records') then
    v_found := jsonb_build_object(
      'members', app.search_members(v_text), 'orders', app.search_orders(v_text), 'withdrawals',
      app.search_withdrawals(v_text),
      'batches', app.search_batches(v_text), 'bill_rows', app.search_bill(v_text)
    );
  end if;
  return v_found || jsonb_build_object('products', app.search_products(v_text));
end
$$;

comment on function api.search is
  'Returns the members, orders, withdrawals, batches, bill rows and products that a text may mean, at most '
  'app.most_found() of each; without the area records, products only. Serves GET /adminapi/search.';

grant execute on function api.search(text) to store_admin;

-- Security definer: writes app.admin_actions.
-- Not idempotent: each call is recorded.
create or replace function api.find_contact(p_contact text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_contact constant text := btrim(p_contact);
  v_by constant text := case
    when v_contact ~ '^[^@ ]+@[^@ ]+$' then 'email'
    when app.import_phone(v_contact) is not null then 'phone'
  end;
  v_uid bigint;
begin
  perform app.require_admin('records');
  if v_by is null or char_length(v_contact) > 254 then
    perform app.fail('invalid_argument', 'Enter a whole phone number or email address.', '/contact');
  end if;
  v_uid := case v_by
    -- The Auth server keeps addresses in lower case, and an index of them without the accounts of a single sign-on,
    -- which may repeat them.
    when 'email' then (
      select u.uid from auth.users as a join app.users as u on u.auth_id = a.id
      where a.email = lower(v_contact) and a.is_sso_user = false and a.deleted_at is null order by u.uid limit 1
    )
    -- An account has its number for itself.
    else (
      select u.uid from app.users as u where u.phone in (v_contact, app.import_phone(v_contact)) order by u.uid limit 1
    )
  end;
  perform app.record_action(
    'find_contact', 'member', v_uid::text, null, jsonb_build_object('found_by', v_by, 'found', v_uid is not null)
  );
  return jsonb_build_object('uid', v_uid, 'nickname', (select u.nickname from app.users as u where u.uid = v_uid));
end
$$;

comment on function api.find_contact is
  'Returns the member with exactly this phone number or email address; both fields are null without one. The action '
  'log records the search without the number or address. Serves POST /adminapi/search/contact.';

grant execute on function api.find_contact(text) to store_admin;
