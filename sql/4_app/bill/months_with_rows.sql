-- One index probe for each month, however many rows a month has.
-- PL/pgSQL and a generic query plan: see app.frozen_until.
create or replace function app.months_with_rows(p_uid bigint)
returns setof text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_from timestamptz := '-infinity'::timestamptz;
  v_month date;
begin
  loop
    select app.month_of(b.add_time) into v_month
    from app.user_bill as b
    where b.uid = p_uid and b.add_time >= v_from
    order by b.add_time, b.id
    limit 1;
    exit when not found;
    return next to_char(v_month, 'YYYY-MM');
    v_from := (app.month_bounds(v_month)).ends_at;
  end loop;
end
$$;

comment on function app.months_with_rows is 'Returns the business months in which a member has bill rows, as YYYY-MM, the oldest first.';

grant execute on function app.months_with_rows(bigint) to authenticated, store_admin;
