-- The check that no closed month and no seal is missing.

create or replace function app.lost_months()
returns table (month date, lost text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select m.month::date, case when c.month is null then 'row' else 'seal' end
  from (select min(c.month) as first, max(c.month) as last from app.closed_months as c) as closed
  cross join (select min(s.month) as first, max(s.month) as last from app.month_seals as s) as sealed
  cross join generate_series(closed.first, closed.last, '1 month') as m (month)
  left join app.closed_months as c on c.month = m.month::date
  left join app.month_seals as s on s.month = m.month::date
  where c.month is null or (s.month is null and m.month between sealed.first and sealed.last)
  order by 1
$$;

comment on function app.lost_months is
  'Returns the months that were closed and are so no more (lost: row), and those between two seals whose seal is gone '
  '(lost: seal). What is missing after the last month only shows beside what the store has published.';

create or replace function app.verify_months()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'closed_months_are_complete', case when count(*) = 0 then 'ok' else 'error' end, 'closed months',
    case
      when count(*) = 0 then 'no closed month and no seal is missing'
      else format('missing: %s', string_agg(
        format('the %s of %s', case l.lost when 'row' then 'record' else 'seal' end, to_char(l.month, 'YYYY-MM')), ', '
        order by l.month
      ))
    end,
    'Somebody deleted them as the owner of the database. Restore them from a backup, and compare the seals with the list that you have published: npm run verify:seal -- --list <file>'
  from app.lost_months() as l
$$;

comment on function app.verify_months is 'Checks that no closed month and no seal between others is missing.';
