-- Security invoker: reads with the rights of the caller.
-- One statement for a member and one for all, because they use different indexes. Generic query plans: see app.bill_page.
-- Raises: invalid_argument, month_archived.
create or replace function app.bill_lines(p_uid bigint, p_from timestamptz, p_to timestamptz, p_cursor text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_most constant integer := 1000;
  v_after record := app.line_position(p_cursor);
  v_from timestamptz := greatest(coalesce(p_from, '-infinity'), v_after.add_time);
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_zone text := (select s.time_zone from app.settings as s);
  v_rows app.user_bill[];
begin
  perform app.reject_archived_time('user_bill', coalesce(p_from, '-infinity'));
  if p_uid is null then
    v_rows := array(
      select b from app.user_bill as b
      where b.add_time >= v_from and b.add_time < v_to and (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  else
    v_rows := array(
      select b from app.user_bill as b
      where b.uid = p_uid and b.add_time >= v_from and b.add_time < v_to and (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  end if;
  return jsonb_build_object(
    'lines', (select coalesce(jsonb_agg(app.bill_line(r, v_zone) order by r.add_time, r.id), '[]') from unnest(v_rows) as r),
    'next_cursor', case when cardinality(v_rows) = v_most then app.make_cursor((v_rows[v_most]).add_time, (v_rows[v_most]).id) end
  );
end
$$;

comment on function app.bill_lines is
  'Returns the next chunk of the bill as lines of a CSV file, {lines, next_cursor}, oldest first: of one member, or of all with '
  'p_uid null, from p_from until before p_to.';

grant execute on function app.bill_lines(bigint, timestamptz, timestamptz, text) to authenticated, store_admin;
