begin;
\ir ../../support/fixture.psql
select plan(12);

update app.settings set orders_per_hour = 3, posters_per_hour = 1;
create temporary table m as select pg_temp.sign_up() as one, pg_temp.sign_up() as other;
-- What happens in a minute of the day: the hint of the error, or null.
create function pg_temp.use(
  p_minute numeric, p_kind text default 'order', p_uid bigint default null
) returns text language plpgsql as $$
declare
  v_seconds text;
begin
  perform app.use_quota(
    coalesce(p_uid, (select one from m)), p_kind, '2026-01-01'::timestamptz + p_minute * interval '1 minute'
  );
  return null;
exception when sqlstate 'PT429' then
  get stacked diagnostics v_seconds = pg_exception_hint;
  return v_seconds;
end
$$;

select is(
  array(select pg_temp.use(n) from generate_series(1, 3) as n order by n), array[null, null, null]::text[],
  'up to the quota, everything is allowed'
);
select is(pg_temp.use(31), '1800', 'above it, a member waits for the end of the hour that began with the first time');
select throws_ok(
  $$ select app.use_quota(one, 'order', '2026-01-01'::timestamptz + interval '59 minutes 1 second') from m $$,
  'PT429', 'too_many_requests', 'the error has a code of its own'
);
select is((select used from app.used_quotas as q, m where q.uid = m.one), 3, 'what is rejected does not count');
select is(pg_temp.use(31, 'poster'), null, 'every kind is counted for itself');
select is(pg_temp.use(32, 'poster'), '3540', 'every kind has a quota of its own');
select is(pg_temp.use(31, p_uid => other), null, 'every member is counted for themselves') from m;
update app.settings set orders_per_hour = 4;
select is(pg_temp.use(32), null, 'a higher quota applies at once');
select is(pg_temp.use(60.999), '1', 'the hour is not over');
select is(pg_temp.use(61), null, 'after the hour, the count begins anew');
select is(
  (select (q.began_at, q.used)::text from app.used_quotas as q, m where q.uid = m.one and q.kind = 'order'),
  ('2026-01-01 01:01:00'::timestamptz, 1)::text, 'with what is done now'
);
select is(pg_temp.use(0), null, 'it begins anew, too, if the clock was set back by an hour');

select * from finish();
rollback;
