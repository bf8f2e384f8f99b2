-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

SET local check_function_bodies = off;

CREATE TABLE "app"."schema_versions" (
  "version"    text                     NOT NULL,
  "applied_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "schema_versions_pkey" PRIMARY KEY (VERSION),
  CONSTRAINT "version_is_three_numbers" CHECK ((version ~ '^\d{1,4}\.\d{1,4}\.\d{1,4}$'::text))
);

ALTER TABLE "app"."schema_versions"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION app.decide_real_name (
  p_name   app.real_names,
  p_state  text,
  p_reason text,
  p_by     uuid,
  p_now    timestamp with time zone
)
  RETURNS app.real_names
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_name app.real_names := p_name;
begin
  if p_name.state <> p_state then
    update app.real_names as r set state = p_state, reason = p_reason, decided_by = p_by, decided_at = p_now where r.id = p_name.id returning r.* into v_name;
    perform app.write_event('name.' || p_state, v_name.uid, v_name.uid, '{}', p_now);
  end if;
  perform app.finish_outbox('real_name_check', p_name.id::text);
  return v_name;
end
$function$;

CREATE OR REPLACE FUNCTION app.health_json (
  p_now timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'status', case
      when j.dead > 0 or j.is_late or s.state <> 'ok' or c.state <> 'ok' or g.state = 'broken' then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.waiting_since), 'import_since', app.utc(j.import_since), 'scheduler', s.state, 'clock', c.state,
    'guarantees', g.state, 'webhooks', app.webhook_route(), 'schema_version', app.schema_version(),
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from app.settlement_job_state(p_now) as j
  cross join app.scheduler_state(p_now) as s (state)
  cross join app.clock_state(p_now) as c (state)
  cross join lateral (
    select coalesce((select case when m.differences = 0 then 'ok' else 'broken' end from app.manifest_checks as m), 'unchecked') as state
  ) as g
$function$;

CREATE OR REPLACE FUNCTION app.notice_types()
  RETURNS TABLE (
    type  text,
    topic text
  )
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  ROWS 31
  AS $function$
  values
    ('order.paid', 'orders'), ('order.shipped', 'orders'), ('order.parcel_added', 'orders'), ('order.received', 'orders'),
    ('order.expiring', 'orders'), ('order.expired', 'orders'), ('order.cancelled', 'orders'),
    ('refund.requested', 'refunds'), ('refund.refunded', 'refunds'), ('refund.refused', 'refunds'), ('refund.return_requested', 'refunds'),
    ('refund.return_sent', 'refunds'), ('refund.return_received', 'refunds'),
    ('commission.earned', 'commission'), ('commission.reversed', 'commission'), ('commission.matured', 'commission'),
    ('withdrawal.requested', 'withdrawals'), ('withdrawal.approved', 'withdrawals'), ('withdrawal.paid', 'withdrawals'),
    ('withdrawal.failed', 'withdrawals'), ('withdrawal.refused', 'withdrawals'), ('adjustment.booked', 'withdrawals'),
    ('member.referred', 'team'), ('level.reached', 'team'), ('profile.nickname_replaced', 'team'), ('profile.avatar_removed', 'team'),
    ('person.request_done', 'team'), ('person.request_refused', 'team'), ('name.checked', 'withdrawals'), ('name.refused', 'withdrawals'), ('points.released', 'points')
$function$;

CREATE OR REPLACE FUNCTION app.schema_version()
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select v.version from app.schema_versions as v order by string_to_array(v.version, '.')::integer[] desc limit 1
$function$;

CREATE POLICY "admins_read_schema_versions" ON "app"."schema_versions"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

COMMENT ON COLUMN "app"."schema_versions"."applied_at" IS 'When this store got the version.';

COMMENT ON FUNCTION "app"."decide_real_name"(app.real_names, text, text, uuid, timestamp with time zone) IS 'Records that a real name was checked or refused, which the member is told, p_by an administrator or (null) the provider. Whoever decides last is right.';

COMMENT ON FUNCTION "app"."health_json"(timestamp with time zone) IS 'Returns the health of the background work at p_now: settlement jobs, the scheduler, the clock, whether the database is as installed, how webhooks are reached, the version of the schema, and the last finished release. The status is ok or degraded.';

COMMENT ON FUNCTION "app"."schema_version"() IS 'Returns the version of the schema: the last one that changed it. A store of 0.9.0 does not have this function.';

COMMENT ON TABLE "app"."schema_versions" IS 'The versions that changed the schema, from 1.0.0 on. The migrations of a version add its row; a new store gets all of them at once.';

REVOKE ALL ON FUNCTION "app"."schema_version"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."schema_version"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."schema_version"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."schema_version"() TO "store_api";

GRANT SELECT ON TABLE "app"."schema_versions" TO "service_role", "store_admin", "store_key";

insert into app.manifest (kind, name, definition) values
  ('column', 'app.schema_versions.applied_at', 'timestamp with time zone not null default now()'),
  ('column', 'app.schema_versions.version', 'text not null'),
  ('constraint', 'app.schema_versions.schema_versions_pkey', 'PRIMARY KEY (version)'),
  ('constraint', 'app.schema_versions.version_is_three_numbers', 'CHECK ((version ~ ''^\d{1,4}\.\d{1,4}\.\d{1,4}$''::text))'),
  ('function', 'app.schema_version()', 'function, returns text, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('policy', 'app.schema_versions.admins_read_schema_versions', 'permissive select to service_role, store_admin, store_key using true'),
  ('privilege', 'execute on function app.schema_version() to store_api', 'granted'),
  ('privilege', 'select on table app.schema_versions to service_role', 'granted'),
  ('privilege', 'select on table app.schema_versions to store_admin', 'granted'),
  ('privilege', 'select on table app.schema_versions to store_key', 'granted'),
  ('table', 'app.schema_versions', 'row-level security');
