-- Precondition: the caller has locked the order.
-- Not idempotent: each call can count as one more attempt.
create or replace function app.postpone_job(p_order_id bigint, p_sqlstate text, p_message text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.settlement_jobs as j
  set attempts = j.attempts + f.counted,
      state = case when j.attempts + f.counted >= 8 then 'dead' else 'waiting' end,
      run_after = p_now + case f.counted when 0 then interval '10 seconds' else interval '30 seconds' * power(2, j.attempts) end,
      last_error = left(format('%s: %s', p_sqlstate, p_message), 500)
  from (select case when left(p_sqlstate, 2) in ('53', '57', '40') or p_sqlstate = '55P03' then 0 else 1 end as counted) as f
  where j.order_id = p_order_id
$$;

comment on function app.postpone_job is
  'Records that a settlement failed, and when the job is due again. Errors that do not depend on the order are not counted as '
  'attempts, and the job is due again in ten seconds: no space or memory (class 53), shutdown or cancellation (57), '
  'serialization failure or deadlock (40), lock timeout (55P03). After any other error, the job waits 30 seconds, doubled with '
  'each attempt. After the eighth attempt (about an hour) the job is dead and waits for an administrator.';
