begin;
\ir ../../support/fixture.psql
select plan(7);

delete from app.outbox;
select app.add_to_outbox('test', 'a', '{}', '2026-11-20 12:00+00', '2026-11-20 12:00+00');
create function pg_temp.after(
  p_attempts integer, p_problem text default 'no response', p_attempt integer default null
) returns text language plpgsql as $$
begin
  update app.outbox set attempts = p_attempts, state = 'waiting', run_after = '2026-11-20 13:30+00';
  perform app.postpone_outbox(o.id, coalesce(p_attempt, p_attempts), p_problem, '2026-11-20 12:00+00')
  from app.outbox as o;
  return (select concat_ws(' ', state, run_after - '2026-11-20 12:00+00', attempts, last_problem) from app.outbox);
end $$;

select is(pg_temp.after(1), 'waiting 00:00:10 1 no response', 'the first attempt is repeated after ten seconds');
select is(pg_temp.after(2), 'waiting 00:00:20 2 no response', 'each delay is twice as long as the previous one');
select is(pg_temp.after(10), 'waiting 01:00:00 10 no response', 'a delay is an hour at most');
select is(pg_temp.after(19), 'waiting 01:00:00 19 no response', 'the nineteenth attempt is repeated');
select is(pg_temp.after(20), 'failed 01:00:00 20 no response', 'the twentieth attempt is the last');
select is(
  pg_temp.after(400, null), 'waiting 01:00:00 10',
  'a call that the provider has not decided is repeated without a limit'
);
select is(
  pg_temp.after(3, p_attempt => 2), 'waiting 01:30:00 3', 'a report after the end of the lease changes nothing'
);

select * from finish();
rollback;
