-- A day more than a year ago whose release never began is rejected, because it is probably a mistake.
-- Raises: invalid_argument.
create or replace function app.days_to_release(p_business_day date, p_today date)
returns date[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_business_day > p_today then
    perform app.fail('invalid_argument', format('Business day %s has not come yet; today is %s.', p_business_day, p_today));
  elsif p_business_day < p_today - 366 and not exists (select from app.release_runs as r where r.release_date = p_business_day) then
    perform app.fail('invalid_argument', format('Business day %s is more than a year ago.', p_business_day));
  end if;
  return array(
    select d.day
    from (
      select p_business_day as day where p_business_day is not null
      union
      select u.day from app.unreleased_days(p_today) as u (day) where p_business_day is null
      union
      -- The first run that names no day.
      select p_today where p_business_day is null and not exists (select from app.release_runs as r where not r.is_named_only)
    ) as d
    where not exists (select from app.release_runs as r where r.release_date = d.day and r.finished_at is not null)
    order by d.day
  );
end
$$;

comment on function app.days_to_release is
  'Returns the business days to release, oldest first: today, every day missed since the first run that named no day, and '
  'every unfinished day; or only p_business_day, if it is unfinished.';
