-- A row of a time that no closed month includes is not final, so the search ends before it.
create or replace function app.closed_until(p_since timestamptz)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_until timestamptz := p_since;
  v_month app.closed_months;
begin
  for v_month in select c.* from app.closed_months as c where c.ends_at > p_since order by c.begins_at loop
    exit when v_month.begins_at > v_until and exists (select from app.user_bill as b where b.add_time >= v_until and b.add_time < v_month.begins_at);
    v_until := greatest(v_until, v_month.ends_at);
  end loop;
  return nullif(v_until, p_since);
end
$$;

comment on function app.closed_until is
  'Returns until when every bill row since p_since belongs to a closed month; null if no month has been closed since then.';
