-- Where the rows of the release log stand: whoever reads the log reads app.releases, not the table.

-- Has no set clause, so that the planner can inline it.
create or replace function app.log_of_run(p_run app.compacted_releases)
returns setof app.points_release_log
language sql
stable
parallel safe
as $$
  select r.log_id, p_run.uid, r.release_date, r.frozen_before::numeric(18,4), r.amount::numeric(18,4),
    r.frozen_after::numeric(18,4), r.add_time
  from app.releases_of_run(p_run) as r
$$;

comment on function app.log_of_run is 'Returns the rows of the release log of a run of releases.';

grant execute on function app.log_of_run(app.compacted_releases) to store_admin;

-- Has no set clause, so that the planner can inline it: see app.bill. Without p_since, nothing of that condition is
-- left of it, which could make the planner read the index by time.
-- Security invoker: reads with the rights of the caller.
create or replace function app.releases(p_from date, p_to date, p_since timestamptz default '-infinity')
returns setof app.points_release_log
language sql
stable
parallel safe
as $$
  select a.*
  from (
    select l.* from app.points_release_log as l
    union all
    select l.*
    from app.compacted_releases as c cross join lateral app.log_of_run(c) as l
    -- The business day of a release and the time at which it was made are less than two days apart.
    where c.last_time >= p_since and c.first_time > p_since - interval '32 days' and c.first_day <= p_to
      and c.first_day > p_from - 32
      and c.first_time > p_from::timestamp at time zone 'UTC' - interval '34 days'
      and c.first_time < p_to::timestamp at time zone 'UTC' + interval '2 days'
  ) as a
  where a.release_date between p_from and p_to and (p_since = '-infinity' or a.add_time >= p_since)
$$;

comment on function app.releases is
  'Returns the rows of the release log of the business days from p_from to p_to, wherever they stand; with p_since, '
  'those written since then.';

grant execute on function app.releases(date, date, timestamptz) to store_admin;

create or replace function app.check_release_days(p_from date, p_to date)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_from not between '0001-01-01' and '9999-12-31' or p_to not between '0001-01-01' and '9999-12-31' then
    perform app.fail('invalid_argument', 'date_from and date_to are in the years 1 to 9999.');
  end if;
end
$$;

comment on function app.check_release_days is
  'Raises invalid_argument if a day is outside the years 1 to 9999. A day may be null.';

grant execute on function app.check_release_days(date, date) to store_admin;
