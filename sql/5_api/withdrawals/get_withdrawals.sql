-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_withdrawals(p_page integer default 1, p_limit integer default 20, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_position record := app.list_position(p_page, p_limit, p_cursor);
begin
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(app.withdrawal_json(l) order by l.id desc), '[]'),
      'next_cursor', case when count(*) = p_limit then (array_agg(app.make_cursor(l.add_time, l.id) order by l.id))[1] end,
      'count', (select count(*) from app.withdrawals as c where c.uid = v_uid)
    )
    from (
      select w.* from app.withdrawals as w
      where w.uid = v_uid and w.id < v_position.id
      order by w.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_withdrawals is
  'Returns one page of the caller''s withdrawals, newest first. Pages are numbered or follow a cursor. Serves GET /api/withdrawal.';

grant execute on function api.get_withdrawals(integer, integer, text) to authenticated, store_admin;
