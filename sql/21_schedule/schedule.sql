-- The schedule as administrators see it, and the actors of the action log.

create or replace function app.actor_earned_json(p_actor uuid, p_target_type text, p_target_id text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'commission', sum(b.brokerage_delta)::text, 'points', trim_scale(sum(b.frozen_delta + b.available_delta))
  )
  from app.users as u
  -- Of the table: only releases can stand elsewhere.
  join app.user_bill as b on b.uid = u.uid
  where p_target_type = 'order' and app.is_earned(b.type) and u.auth_id = p_actor
    and b.order_id = case when p_target_type = 'order' then p_target_id::bigint end
  having count(*) > 0
$$;

comment on function app.actor_earned_json is
  'Returns what an order earned the member account of the administrator who acted on it, less reversals: {commission, '
  'points}. Null if nothing, or if the target is no order.';

grant execute on function app.actor_earned_json(uuid, text, text) to store_admin;

-- One that failed before it recorded itself is tried again an hour later, so that it does not hold up the others. A
-- missed run of a job without days also does what an earlier one has left.
-- During an import, pg_cron's own runs go on, but nothing is made up: it would work on half of the rows.
create or replace function app.runs_to_start(p_now timestamptz)
returns table (job text, from_day date, to_day date, is_missed boolean, tried_at timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with missed as (
    select j.name, j.rank, j.tried_at, m.due
    from app.scheduled_jobs as j cross join lateral app.missed_time(j, p_now) as m (due)
    where j.name <> 'continue_unfinished_runs'
      and coalesce(j.tried_at < greatest(m.due, p_now - interval '1 hour'), m.due is not null)
      and not exists (select from app.imports as i where i.finished_at is null)
  ), runs as (
    select m.name as job, null::date as from_day, null::date as to_day, true as is_missed, m.tried_at,
      row_number() over (order by m.due, m.rank) as place
    from missed as m
    union all
    select u.job, u.from_day, u.to_day, false, null, u.place
    from app.unfinished_runs() with ordinality as u (job, from_day, to_day, place)
    where u.from_day is not null or not exists (select from missed as m where m.name = u.job)
  )
  select r.job, r.from_day, r.to_day, r.is_missed, r.tried_at from runs as r order by r.is_missed desc, r.place
$$;

comment on function app.runs_to_start is
  'Returns what app.continue_unfinished_runs starts: missed jobs, the earliest first (app.missed_time), then cut runs '
  '(app.unfinished_runs). While an import is unfinished, only cut runs.';

-- Locks: the row of the job.
-- Idempotent, also when it runs concurrently: the second call finds another tried_at.
create or replace function app.claim_missed_run(p_job text, p_tried_at timestamptz, p_now timestamptz)
returns boolean
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with claimed as (
    update app.scheduled_jobs as j
    set tried_at = p_now
    where j.name = p_job and j.tried_at is not distinct from p_tried_at and app.missed_time(j, p_now) is not null
    returning j.name
  )
  select exists (select from claimed)
$$;

comment on function app.claim_missed_run is
  'Records that a missed run is started, and returns whether the caller is to start it: nobody has since p_tried_at.';

-- Not idempotent: each call is one more run.
create or replace function app.run_statement(p_job text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_run record;
begin
  v_run := app.begin_run(p_job, 1);
  execute (select j.command from app.scheduled_jobs as j where j.name = p_job);
  perform app.end_run(v_run.id);
exception when others then
  raise warning 'the scheduled job % failed: %', p_job, sqlerrm;
end
$$;

comment on function app.run_statement is
  'Runs a scheduled job that is one statement, and records the run. If it fails, a warning says why, and nothing is '
  'recorded.';

-- Every procedure is called by its name, because a procedure that commits cannot be called by dynamic SQL. A run that
-- is cut here is the latest of its job, so the next call begins with the other jobs. Idempotent, also when it runs
-- concurrently: every job is.
create or replace procedure app.continue_unfinished_runs()
language plpgsql
as $$
declare
  v_run record;
begin
  perform app.count_times(pg_catalog.clock_timestamp());
  perform app.mark_cut_runs();
  commit;
  for v_run in select u.* from app.runs_to_start(pg_catalog.clock_timestamp()) with ordinality as u
    order by u.ordinality loop
    -- What a job does by a clock that nobody trusts is too little: it would do the rest a day later.
    continue when v_run.is_missed and (
      app.clock_state(pg_catalog.clock_timestamp()) = 'doubtful'
      or not app.claim_missed_run(v_run.job, v_run.tried_at, pg_catalog.clock_timestamp())
    );
    commit;
    case v_run.job
      when 'fsgx_release_frozen_points' then call app.release_frozen_points(v_run.from_day);
      when 'settle_waiting_orders' then call app.drain_settlement_jobs();
      when 'expire_orders' then call app.expire_orders();
      when 'receive_delivered_orders' then call app.receive_delivered_orders();
      when 'sum_team_totals' then call app.sum_team_totals();
      when 'sum_days' then call app.sum_days();
      when 'reconcile_bill' then call app.record_reconcile();
      when 'ensure_month_partitions' then call app.ensure_month_partitions(
        coalesce(v_run.from_day, current_date),
        coalesce(v_run.to_day, (current_date + interval '2 months')::pg_catalog.date)
      );
      when 'forget_idempotency_keys' then call app.forget_idempotency_keys();
      when 'compact_due_months' then call app.compact_due_months();
      when 'purge_old_records' then call app.purge_old_records();
      when 'purge_cron_history' then call app.purge_cron_history();
      when 'write_due_events' then call app.write_due_events();
      when 'delete_due_accounts' then call app.delete_due_accounts();
      when 'tell_notices' then call app.tell_notices();
      when 'write_deliveries' then call app.write_deliveries();
      else
        perform app.run_statement(v_run.job);
        commit;
    end case;
  end loop;
end
$$;

comment on procedure app.continue_unfinished_runs is
  'Starts the daily and weekly jobs that have missed their latest time, and continues the runs that were cut, each for '
  'its days (app.runs_to_start). Records which runs were cut.';

-- A request cannot run the job itself: some jobs commit while they run.
-- Precondition: runs as the owner of the store, who owns the jobs of pg_cron.
-- Idempotent: a repeated call replaces the one-time job.
create or replace function app.run_job_now(p_name text, p_now timestamptz)
returns timestamptz
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- pg_cron reads its jobs at the start of each minute, so a minute that starts within five seconds may be too early.
  v_minute timestamptz := date_trunc('minute', p_now + interval '65 seconds');
  v_command text := (select j.command from app.scheduled_jobs as j where j.name = p_name);
begin
  if v_command is null then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.require_scheduler();
  execute 'select cron.schedule($1, $2, $3)'
  using p_name || ':now', to_char(v_minute at time zone 'UTC', 'FMMI FMHH24 FMDD FMMM "*"'), v_command;
  return v_minute;
end
$$;

comment on function app.run_job_now is
  'Schedules a job to run once, in the next minute, and returns that minute. The one-time job is named <name>:now. '
  'Raises crontab_not_found, and schedule_unavailable without pg_cron.';

-- Precondition: runs as the owner of the store, who may read the tables of pg_cron.
create or replace function app.schedule_json(p_now timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_runs jsonb := '{}';
begin
  if to_regclass('cron.job') is not null then
    execute $sql$
      select coalesce(jsonb_object_agg(n.name, n.runs), '{}')
      from (
        select j.name, jsonb_agg(r.run order by r.start_time desc) as runs
        from app.scheduled_jobs as j
        cross join lateral (
          select d.start_time, jsonb_build_object(
            'status', case
              when d.status = 'failed' and exists (
                select from app.job_runs as r
                where r.job = j.name and r.cut_at is not null
                  and r.started_at between d.start_time and coalesce(d.end_time, 'infinity')
              ) then 'cut'
              else d.status
            end,
            'by_hand', c.jobname like '%:now', 'message', left(d.return_message, 500),
            'started_at', app.utc(d.start_time), 'ended_at', app.utc(d.end_time)
          ) as run
          from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
          -- Also the further sessions of a night, and runs by hand.
          where c.jobname = j.name or starts_with(c.jobname, j.name || ':')
          order by d.runid desc
          limit 10
        ) as r
        group by j.name
      ) as n
    $sql$ into v_runs;
  end if;
  return (
    select jsonb_build_object(
      'time_zone', s.time_zone, 'count', count(*), 'list', jsonb_agg(jsonb_build_object(
        'name', j.name, 'title', j.title, 'title_zh', j.title_zh, 'schedule', j.schedule, 'preset', j.preset,
        'schedule_utc', app.cron_in_utc(j.schedule, s.time_zone, p_now), 'is_active', j.is_active,
        'next_run', app.utc(app.next_run(j, p_now)), 'changed_by', j.changed_by, 'changed_at', app.utc(j.changed_at),
        'unfinished_since', (
          select app.utc(min(r.started_at)) from app.job_runs as r
          where r.job = j.name and r.cut_at is not null and r.ended_at is null and r.completed_at is null
        ),
        'runs', coalesce(v_runs -> j.name, '[]')
      ) order by j.rank)
    )
    from app.scheduled_jobs as j cross join app.settings as s
    group by s.time_zone
  );
end
$$;

comment on function app.schedule_json is
  'Returns the scheduled jobs as the API shows them, in their order. unfinished_since: work of a cut run is left. '
  'runs: the latest ten, newest first.';
