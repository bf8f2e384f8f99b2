create or replace function app.cuts_of(p_job text, p_part text)
returns integer
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select count(*)::integer from app.job_runs as r where r.job = p_job and r.part = p_part and r.cut_at is not null
$$;

comment on function app.cuts_of is 'Returns how many runs of a job were cut while they worked on this part.';
