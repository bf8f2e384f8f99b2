-- One page of a member's bill, newest first, by type and time, by page or by cursor.
-- Callers: get_bill, admin_get_bill. Reads with the rights of whoever calls. Raises: invalid_argument.
create or replace function app.bill_page(
  p_uid bigint, p_type text, p_from timestamptz, p_to timestamptz, p_page integer, p_limit integer, p_cursor text
)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_after record := app.parse_cursor(p_cursor);
  v_answer jsonb;
begin
  select jsonb_build_object(
    'list', coalesce(jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), '[]'),
    'count', (
      select count(*) from app.user_bill as c
      where c.uid = p_uid and (p_type is null or c.type = p_type)
        and (p_from is null or c.add_time >= p_from) and (p_to is null or c.add_time < p_to)
    ),
    'next_cursor', case when count(*) = p_limit then
      (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1]
    end
  )
  into v_answer
  from (
    select b.* from app.user_bill as b
    where b.uid = p_uid and (p_type is null or b.type = p_type)
      and (p_from is null or b.add_time >= p_from) and (p_to is null or b.add_time < p_to)
      and (p_cursor is null or (b.add_time, b.id) < (v_after.add_time, v_after.id))
    order by b.add_time desc, b.id desc
    offset case when p_cursor is null then v_skip else 0 end
    limit p_limit
  ) as l;
  return v_answer;
end
$$;

grant execute on function app.bill_page(bigint, text, timestamptz, timestamptz, integer, integer, text) to authenticated, store_admin;
