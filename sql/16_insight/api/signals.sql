-- What administrators may call about signals.

-- Security definer: client roles may read neither the payers of payment attempts, address books, accounts nor real
-- names. The result only says which of them are equal.
create or replace function api.get_signals(p_kind text, p_limit integer default 20, p_cursor bigint default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before bigint := coalesce(p_cursor, 9223372036854775807);
  v_page record;
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  if p_kind = 'retaken_place' then
    select p.* into v_page from app.retaken_places(v_before, p_limit) as p;
  elsif p_kind = 'shared_order' then
    select p.* into v_page from app.shared_orders(v_before, p_limit) as p;
  elsif p_kind = 'sign_up_burst' then
    select p.* into v_page from app.sign_up_bursts(v_before, p_limit) as p;
  elsif p_kind = 'shared_person' then
    select p.* into v_page from app.shared_people(v_before, p_limit) as p;
  elsif p_kind = 'shared_account' then
    select p.* into v_page from app.shared_accounts(v_before, p_limit) as p;
  elsif p_kind = 'reserved_stock' then
    select p.* into v_page from app.reserved_stock(v_before, p_limit) as p;
  else
    perform app.fail(
      'invalid_argument',
      'kind is retaken_place, shared_order, sign_up_burst, shared_person, shared_account or reserved_stock.'
    );
  end if;
  return jsonb_build_object(
    'list', v_page.list, 'next_cursor', v_page.next_cursor, 'examined_to', app.utc(v_page.examined_to)
  );
end
$$;

comment on function api.get_signals is
  'Returns one page of the signals of a kind, the latest first. A page can have fewer than p_limit and still have a '
  'next one (app.last_read). Serves GET /adminapi/signal.';

grant execute on function api.get_signals(text, integer, bigint) to store_admin;
