-- Where the rows of the release log stand: whoever reads the log reads this function, not the table.

-- Has no set clause, so that the planner can inline it: see app.bill. Without p_since, nothing of that condition is left of it, which could make the planner
-- read the index by time.
-- Security invoker: reads with the rights of the caller.
create or replace function app.releases(p_from date, p_to date, p_since timestamptz default '-infinity')
returns setof app.points_release_log
language sql
stable
parallel safe
as $$
  select l.* from app.points_release_log as l where l.release_date between p_from and p_to and (p_since = '-infinity' or l.add_time >= p_since)
  union all
  select a.* from archive.points_release_log as a where a.release_date between p_from and p_to and (p_since = '-infinity' or a.add_time >= p_since)
$$;

comment on function app.releases is
  'Returns the rows of the release log of the business days from p_from to p_to, wherever they stand; with p_since, those that were written since then. Statements that by '
  'their nature read only rows of the table name it, with the reason.';

grant execute on function app.releases(date, date, timestamptz) to store_admin;
