create or replace function app.record_reconcile()
returns app.reconcile_runs
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_run app.reconcile_runs;
  v_started_at timestamptz := clock_timestamp();
begin
  insert into app.reconcile_runs (started_at, finished_at, findings, sample)
  select v_started_at, clock_timestamp(), count(*), coalesce(jsonb_agg(to_jsonb(f)) filter (where f.place <= 100), '[]')
  from (select r.*, row_number() over () as place from app.reconcile() as r) as f
  returning * into v_run;
  return v_run;
end
$$;

comment on function app.record_reconcile is 'Runs reconcile() and stores the number of findings and the first hundred of them.';
