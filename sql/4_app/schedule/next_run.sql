create or replace function app.next_run(p_job app.scheduled_jobs, p_now timestamptz)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select min(m.minute)
  from app.settings as s
  cross join generate_series(date_trunc('minute', p_now) + interval '1 minute', p_now + interval '8 days', interval '1 minute') as m (minute)
  cross join lateral (select m.minute at time zone s.time_zone as local, string_to_array(p_job.schedule, ' ') as field) as t
  where p_job.is_active
    and case
      when t.field[1] = '*' then true
      when t.field[1] like '*/%' then extract(minute from t.local)::integer % split_part(t.field[1], '/', 2)::integer = 0
      else extract(minute from t.local) = t.field[1]::integer
    end
    and (t.field[2] = '*' or extract(hour from t.local) = t.field[2]::integer)
    and (t.field[5] = '*' or extract(dow from t.local) = t.field[5]::integer)
$$;

comment on function app.next_run is
  'Returns when a scheduled job is due next by its schedule in the store''s time zone, or null if it is switched off.';
