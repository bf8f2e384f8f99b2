-- Security definer: members may not read closed months, but their statements have the same bounds.
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function app.month_bounds(p_month date, out begins_at timestamptz, out ends_at timestamptz)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- The bounds of closed months are final. If the time zone of the store changed since, a gap or an overlap would be left.
  begins_at := coalesce(
    (select c.begins_at from app.closed_months as c where c.month = p_month),
    (select c.ends_at from app.closed_months as c where c.month = (p_month - interval '1 month')::date),
    app.day_begins(p_month)
  );
  ends_at := coalesce(
    (select c.ends_at from app.closed_months as c where c.month = p_month),
    (select c.begins_at from app.closed_months as c where c.month = (p_month + interval '1 month')::date),
    app.month_ends(p_month)
  );
end
$$;

comment on function app.month_bounds is
  'Returns when a business month begins and ends: in the time zone of the store, unless it or the month beside it is closed. A closed month '
  'keeps the bounds that it had when it was closed, and the months beside it begin and end where it does. p_month is its first day.';

grant execute on function app.month_bounds(date) to authenticated, store_admin;
