-- Records a failed attempt of a settlement job: the next one comes after 2^attempts times 30 seconds; after the
-- eighth (about an hour) the job is dead and waits for an administrator.
-- Callers: run_settlement_jobs. Locks: the caller holds the order. Safe twice: each call is one more attempt.
create or replace function app.postpone_job(p_order_id bigint, p_error text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.settlement_jobs as j
  set attempts = j.attempts + 1,
      state = case when j.attempts + 1 >= 8 then 'dead' else 'waiting' end,
      run_after = p_now + interval '30 seconds' * power(2, j.attempts),
      last_error = left(p_error, 500)
  where j.order_id = p_order_id
$$;
