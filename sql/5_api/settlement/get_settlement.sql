-- Security definer: client roles may not execute the functions of the engine.
-- Raises: order_archived, forbidden, order_not_found.
create or replace function api.get_settlement(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result jsonb;
begin
  perform app.require_admin();
  v_result := app.explain_order(p_order_id);
  return v_result || jsonb_build_object('members', (
    select coalesce(jsonb_agg(jsonb_build_object('uid', u.uid, 'nickname', u.nickname) order by u.uid), '[]')
    from app.users as u
    where u.uid in (
      select m.uid::bigint
      from jsonb_path_query(v_result, 'strict $.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "^(.*_)?uid$").value') as m (uid)
      where jsonb_typeof(m.uid) = 'number'
    )
  ));
end
$$;

comment on function api.get_settlement is
  'Explains who was paid what for an order and why (app.explain_order), with the nicknames of all members in the explanation. '
  'Serves GET /adminapi/order/{id}/settlement.';

grant execute on function api.get_settlement(bigint) to store_admin;
