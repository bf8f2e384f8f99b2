-- What administrators and the schedule call to check the configuration.

-- Without the test orders, which would use up numbers of orders.
-- Idempotent: a repeated check replaces the result.
create or replace function app.check_settings()
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.settings_checks as c (checked_at, findings)
  select clock_timestamp(),
    coalesce(array_agg(concat_ws(' ', v.check_id, v.subject) order by v.check_id, v.subject), '{}')
  from app.verify_settings() as v where v.severity in ('error', 'warning')
  on conflict (id) do update set checked_at = excluded.checked_at, findings = excluded.findings
$$;

comment on function app.check_settings is
  'Stores which checks of app.verify_settings find an error or a warning. A scheduled job.';

-- Security definer: the check runs test orders through internal functions and rolls them back.
create or replace function api.get_agent_config_report()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'ok', bool_and(v.severity <> 'error'), 'list', jsonb_agg(to_jsonb(v) - 'ordinality' order by v.ordinality),
      'count', count(*)
    )
    from app.verify_agent_config() with ordinality as v
  );
end
$$;

comment on function api.get_agent_config_report is
  'Runs app.verify_agent_config and returns its findings; ok is false if one is an error. Serves GET '
  '/adminapi/hjf/verify_agent_config.';

grant execute on function api.get_agent_config_report() to store_admin;

create or replace function api.get_reconcile_report()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'finished_at', app.utc(r.finished_at), 'findings', coalesce(r.findings, 0), 'list', coalesce(f.list, '[]'),
      'count', coalesce(jsonb_array_length(r.sample), 0), 'explained', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'check_name', e.check_name, 'subject', e.subject, 'expected', e.expected, 'actual', e.actual, 'reason',
          e.reason, 'explained_by', app.actor_json(e.explained_by), 'explained_at', app.utc(e.explained_at)
        ) order by e.id desc), '[]')
        from (select x.* from app.explained_findings as x order by x.id desc limit 20) as e
      )
    )
    from (values (true)) as one (id) left join app.last_reconcile() as r on true
    left join lateral (
      select jsonb_agg(s.value || to_jsonb(app.finding_advice(s.value ->> 'check_name')) order by s.ordinality) as list
      from jsonb_array_elements(r.sample) with ordinality as s
    ) as f on true
  );
end
$$;

comment on function api.get_reconcile_report is
  'Returns the latest finished reconciliation, the first hundred of its findings with what to do about each, and the '
  'latest explanations. finished_at is null before the first. Serves GET /adminapi/hjf/reconcile.';

grant execute on function api.get_reconcile_report() to store_admin;

-- Locks: the row of the reconciliation.
-- Idempotent: a finding that is explained keeps its first explanation.
create or replace function api.explain_finding(
  p_check_name text, p_subject text, p_expected text, p_actual text, p_reason text
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_run app.reconcile_runs;
  v_sample jsonb;
  v_id bigint;
begin
  perform app.require_admin('money');
  if not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif not coalesce(app.is_visible(p_reason) and char_length(p_reason) <= 500, false) then
    perform app.fail('invalid_argument', 'Say in 1 to 500 characters how the difference came about.', '/reason');
  end if;
  select r.* into v_run from app.reconcile_runs as r where r.id = (select l.id from app.last_reconcile() as l) for update;
  select coalesce(jsonb_agg(f.value order by f.ordinality), '[]') into v_sample
  from jsonb_array_elements(v_run.sample) with ordinality as f
  where f.value is distinct from jsonb_build_object(
    'check_name', p_check_name, 'subject', p_subject, 'expected', p_expected, 'actual', p_actual
  );
  if v_sample = coalesce(v_run.sample, '[]') then
    if app.is_explained(p_check_name, p_subject, p_expected, p_actual) then
      perform app.record_no_action('explain_finding');
      return api.get_reconcile_report();
    end if;
    perform app.fail('finding_not_found');
  end if;
  update app.reconcile_runs as r
  set sample = v_sample,
    findings = greatest(r.findings - jsonb_array_length(r.sample) + jsonb_array_length(v_sample), 0)
  where r.id = v_run.id;
  insert into app.explained_findings (check_name, subject, expected, actual, reason, explained_by, explained_at)
  values (
    p_check_name, coalesce(p_subject, ''), coalesce(p_expected, ''), coalesce(p_actual, ''), p_reason, auth.uid(),
    clock_timestamp()
  )
  returning id into v_id;
  perform app.record_action(
    'explain_finding', 'finding', v_id::text, null,
    jsonb_build_object('check_name', p_check_name, 'subject', p_subject)
  );
  return api.get_reconcile_report();
end
$$;

comment on function api.explain_finding is
  'Explains a finding of the latest reconciliation, which then no longer counts until its figures change. Raises '
  'finding_not_found if there is none with these figures. Serves POST /adminapi/hjf/reconcile/explain.';

grant execute on function api.explain_finding(text, text, text, text, text) to store_admin;
