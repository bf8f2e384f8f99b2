-- GET /api/bill: the caller's bill, newest first, by page or by cursor. Raises: unauthenticated, invalid_argument.
create or replace function api.get_bill(
  p_type text default null, p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_uid bigint := app.require_uid();
  v_skip bigint := app.check_page(p_page, p_limit);
  v_after record := app.parse_cursor(p_cursor);
  v_answer jsonb;
begin
  select jsonb_build_object(
    'list', coalesce(jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), '[]'),
    'count', (select count(*) from app.user_bill as c where c.uid = v_uid and (p_type is null or c.type = p_type)),
    'next_cursor', case when count(*) = p_limit then
      (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1]
    end
  )
  into v_answer
  from (
    select b.* from app.user_bill as b
    where b.uid = v_uid and (p_type is null or b.type = p_type)
      and (p_cursor is null or (b.add_time, b.id) < (v_after.add_time, v_after.id))
    order by b.add_time desc, b.id desc
    offset case when p_cursor is null then v_skip else 0 end
    limit p_limit
  ) as l;
  return v_answer;
end
$$;

grant execute on function api.get_bill(text, integer, integer, text) to authenticated, store_admin;
