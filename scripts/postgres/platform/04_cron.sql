create extension if not exists pg_cron;

grant usage on schema cron to postgres with grant option;
grant all on all tables in schema cron to postgres with grant option;
grant execute on all functions in schema cron to postgres with grant option;
-- Jobs can only be changed through the functions of pg_cron.
revoke all on table cron.job from postgres;
grant select on table cron.job to postgres with grant option;
revoke trigger on cron.job_run_details from postgres;
