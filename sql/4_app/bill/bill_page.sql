-- Security invoker: reads with the rights of the caller.
-- Raises: invalid_argument, month_archived.
-- Generic query plan: choosing partitions anew for every call would take longer than reading them.
create or replace function app.bill_page(
  p_uid bigint, p_type text, p_from timestamptz, p_to timestamptz, p_page integer, p_limit integer, p_cursor text
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_position record := app.list_position(p_page, p_limit, p_cursor);
  v_from timestamptz := coalesce(p_from, '-infinity');
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_result jsonb;
begin
  perform app.reject_archived_time('user_bill', p_from);
  select jsonb_build_object(
    'list', coalesce(jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), '[]'),
    'count', (
      select count(*) from app.user_bill as c
      where c.uid = p_uid and (p_type is null or c.type = p_type) and c.add_time >= v_from and c.add_time < v_to
    ),
    'archived_until', app.utc(nullif(app.archived_until('user_bill'), '-infinity')),
    'next_cursor', case when count(*) = p_limit then
      (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1]
    end
  )
  into v_result
  from (
    select b.* from app.user_bill as b
    where b.uid = p_uid and (p_type is null or b.type = p_type) and b.add_time >= v_from and b.add_time < v_to
      and (b.add_time, b.id) < (v_position.add_time, v_position.id)
    order by b.add_time desc, b.id desc
    offset v_position.skip limit p_limit
  ) as l;
  return v_result;
end
$$;

comment on function app.bill_page is
  'Returns one page of a member''s bill as {list, count, next_cursor, archived_until}, newest first, without archived rows. The rows can be limited by type and time '
  'and paged by number or cursor.';

grant execute on function app.bill_page(bigint, text, timestamptz, timestamptz, integer, integer, text) to authenticated, store_admin;
