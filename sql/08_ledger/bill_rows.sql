-- Where the rows of the bill stand: whoever reads the bill reads app.bill, not the table.

-- Compares with the last balance, so that a rule that was changed since does not change what was released.
create or replace function app.releases_of_run(p_run app.compacted_releases)
returns table (
  bill_id bigint, log_id bigint, release_date date, add_time timestamptz, frozen_before numeric, rate numeric,
  amount numeric, frozen_after numeric,
  available_after numeric
)
language plpgsql
stable
parallel safe
rows 30
set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps integer[] := p_run.steps;
begin
  bill_id := p_run.bill_id;
  log_id := p_run.log_id;
  release_date := p_run.first_day;
  add_time := p_run.first_time;
  frozen_after := p_run.frozen_before;
  available_after := p_run.available_before;
  rate := app.release_rate();
  for i in 0..coalesce(array_length(v_steps, 1), 0) loop
    if i > 0 then
      bill_id := bill_id + v_steps[i][1];
      log_id := log_id + v_steps[i][2];
      release_date := release_date + 1;
      add_time := add_time + interval '24 hours' + v_steps[i][3] * interval '1 microsecond';
    end if;
    frozen_before := frozen_after;
    amount := app.release_amount(frozen_before);
    frozen_after := frozen_before - amount;
    available_after := available_after + amount;
    return next;
  end loop;
  if (frozen_after, add_time) <> (p_run.frozen_after, p_run.last_time) then
    raise exception using errcode = 'data_corrupted',
      message = format('the releases of uid %s from %s on do not follow', p_run.uid, p_run.first_day);
  end if;
end
$$;

comment on function app.releases_of_run is
  'Returns the releases of a run. Raises data_corrupted if they do not end with the balance and time of the run.';

grant execute on function app.releases_of_run(app.compacted_releases) to authenticated, store_admin;

create or replace function app.is_in_run(p_run app.compacted_releases, p_bill_id bigint)
returns boolean
language plpgsql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps integer[] := p_run.steps;
  v_id bigint := p_run.bill_id;
begin
  for i in 1..coalesce(array_length(v_steps, 1), 0) loop
    exit when v_id >= p_bill_id;
    v_id := v_id + v_steps[i][1];
  end loop;
  return v_id = p_bill_id;
end
$$;

comment on function app.is_in_run is 'Returns whether a run has the bill row with this id.';

grant execute on function app.is_in_run(app.compacted_releases, bigint) to store_admin;

-- Has no set clause, so that the planner can inline it. Constants, so that it leaves out runs where a statement asks
-- for an order, or for what is no release.
create or replace function app.bill_of_run(p_run app.compacted_releases)
returns setof app.user_bill
language sql
stable
parallel safe
as $$
  select
    r.bill_id, p_run.uid, 'frozen_points_release', 'release', 0::numeric(14,2), (-r.amount)::numeric(18,4),
    r.amount::numeric(18,4), p_run.brokerage,
    r.frozen_after::numeric(18,4), r.available_after::numeric(18,4), null::bigint, r.frozen_before::numeric(18,4),
    r.rate::numeric(18,5), null::smallint,
    null::numeric(18,4), null::bigint, null::bigint, null::bigint, r.add_time
  from app.releases_of_run(p_run) as r
$$;

comment on function app.bill_of_run is 'Returns the bill rows of a run of releases.';

grant execute on function app.bill_of_run(app.compacted_releases) to authenticated, store_admin;

-- Has no set clause, so that the planner can inline it: a statement that reads a period leaves out what does not reach
-- into it. The period is a condition on all parts together, because Postgres chooses partitions of the table by it when
-- a plan is executed.
-- Security invoker: reads with the rights of the caller.
create or replace function app.bill(p_from timestamptz, p_to timestamptz)
returns setof app.user_bill
language sql
stable
parallel safe
as $$
  select a.*
  from (
    select b.* from app.user_bill as b
    union all
    select b.*
    from app.compacted_releases as c cross join lateral app.bill_of_run(c) as b
    where c.first_time < p_to and c.last_time >= p_from and c.first_time > p_from - interval '32 days'
  ) as a
  where a.add_time >= p_from and a.add_time < p_to
$$;

comment on function app.bill is
  'Returns the rows of the bill from p_from until before p_to, also those in runs of releases. Statements that read '
  'the table instead say why.';

grant execute on function app.bill(timestamptz, timestamptz) to authenticated, store_admin;

-- What is read from its end is sorted, and releases in runs are computed before. So the steps of a list begin after the
-- last compacted month, and each goes back over one more until the page is full.
create or replace function app.steps_back(p_from timestamptz, p_until timestamptz)
returns setof timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select s.at
  from (
    select (c.month + interval '1 month') at time zone 'UTC' as at from app.compacted_months as c union select p_from
  ) as s
  where s.at = p_from or (s.at > p_from and s.at < p_until)
  order by s.at desc
$$;

comment on function app.steps_back is
  'Returns from when on to read a list from its end until a page is full: the end of each compacted month in the '
  'period, the last one first, then p_from.';

grant execute on function app.steps_back(timestamptz, timestamptz) to store_admin;
