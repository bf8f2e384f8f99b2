-- The locks of the tables are taken in a statement of their own, so that the check sees each month either attached or archived.
-- Locks: the bill and the release log, as every read of them does; the row of the reconciliation.
-- Idempotent, also when it runs concurrently: a slice is counted in the transaction that checks it.
create or replace function app.reconcile_slice(p_id bigint, p_batch integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_run app.reconcile_runs;
  v_check record;
  v_last bigint := 9223372036854775807;
  v_findings integer;
  v_sample jsonb;
begin
  lock table only app.points_release_log, only app.user_bill in access share mode;
  select r.* into v_run from app.reconcile_runs as r where r.id = p_id for update;
  if v_run.finished_at is not null then
    return false;
  end if;
  select c.* into v_check from app.reconcile_checks() as c where c.check_no = v_run.check_no;
  if not found then
    return app.end_reconcile(v_run, p_batch);
  end if;
  if v_check.keys is not null then
    v_last := app.next_keys(v_check.keys, v_run.next_key, p_batch, v_run.since);
  end if;
  execute format($sql$
    select count(*)::integer, coalesce(jsonb_agg(to_jsonb(f) - 'place' order by f.place) filter (where f.place <= $1), '[]')
    from (select r.*, row_number() over () as place from app.key_ranges($2, $3, $4, $5) as k cross join lateral app.%I(%s) as r) as f
  $sql$, v_check.name, case when v_check.keys is not null then 'k.first, k.last' || case when v_check.is_dated then ', $3' else '' end end)
  into v_findings, v_sample using 100 - jsonb_array_length(v_run.sample), v_check.keys, v_run.since, v_run.next_key, v_last;
  update app.reconcile_runs as r
  set findings = r.findings + v_findings, sample = r.sample || v_sample,
      check_no = case when v_last = 9223372036854775807 then r.check_no + 1 else r.check_no end,
      next_key = case when v_last = 9223372036854775807 then 0 else v_last + 1 end
  where r.id = p_id;
  return true;
end
$$;

comment on function app.reconcile_slice is
  'Runs the next check of a reconciliation on its next p_batch members or orders, records the findings, and returns whether more '
  'may be left. After the last check, the sums of the closed months are carried in slices, too.';
