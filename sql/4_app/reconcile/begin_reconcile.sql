-- Locks: the rows of the reconciliation and of the run.
-- Idempotent: an unfinished reconciliation is continued.
create or replace function app.begin_reconcile(p_run bigint)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id bigint;
begin
  update app.reconcile_runs as r
  set cuts = greatest(r.cuts, app.cuts_of('reconcile_bill', r.id::text))
  where r.id = (select u.id from app.reconcile_runs as u where u.finished_at is null order by u.id limit 1)
  returning r.id into v_id;
  if v_id is null then
    insert into app.reconcile_runs as r (started_at, since, carried_until)
    select clock_timestamp(), s.since, app.closed_until(s.since) from (select app.carried_until() as since) as s
    returning r.id into v_id;
  end if;
  perform app.begin_part(p_run, v_id::text);
  return v_id;
end
$$;

comment on function app.begin_reconcile is
  'Returns the reconciliation that is to be continued, with the number of its cut runs recorded, or begins a new one.';
