-- Not idempotent: a repeated call postpones the row again. A late call for an earlier lease changes nothing (p_attempt).
create or replace function app.postpone_outbox(p_id bigint, p_attempt integer, p_problem text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.outbox as o
  set run_after = p_now + least(interval '5 seconds' * power(2, least(o.attempts, 12)), interval '1 hour'),
      state = case when p_problem is not null and o.attempts >= 20 then 'failed' else 'waiting' end,
      attempts = case when p_problem is null then least(o.attempts, 10) else o.attempts end,
      last_problem = left(p_problem, 500)
  where o.id = p_id and o.attempts = p_attempt and o.state = 'waiting'
$$;

comment on function app.postpone_outbox is
  'Makes a leased row of the outbox due again: after 10 seconds, doubled with each attempt, at most an hour. p_problem is why '
  'the call failed; after the twentieth attempt (about half a day) the row is failed. If p_problem is null, the provider has not '
  'decided yet, and the call is repeated until it has. p_attempt is the number of the attempt that was leased.';
