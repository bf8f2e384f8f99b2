-- Locks: the row of the run.
-- Idempotent: a run that continues keeps its record.
-- Records of runs are deleted after a month, so the number of cuts never falls.
create or replace function app.begin_release(p_release_date date, p_is_named boolean, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.release_runs as r (release_date, started_at, is_named_only) values (p_release_date, p_now, p_is_named)
  on conflict (release_date) do update set is_named_only = r.is_named_only and (p_is_named or p_release_date <> app.business_day(p_now)),
    cuts = case
      when r.finished_at is null then greatest(r.cuts, app.cuts_of('fsgx_release_frozen_points', r.release_date::text))
      else r.cuts
    end
$$;

comment on function app.begin_release is
  'Records that the release of a business day has started, and how many earlier runs were cut. A run for an explicit day '
  '(p_is_named) does not make the days after it count as missed, not even if a later run completes it.';
