begin;
\ir ../../support/fixture.psql
select plan(26);

set local timezone = 'UTC';
create temporary table t as select '2026-03-31 12:00+00'::timestamptz as now;
-- The period that is searched, from now, and whether releases can be in it and it was limited; or the reason why it is
-- too long.
create function pg_temp.searched(p_args jsonb) returns text language plpgsql as $$
declare
  v_reason text;
begin
  return (
    select concat_ws(
      ', ', w.from_time - t.now, case when w.has_releases then 'releases' end, case when w.is_limited then 'limited' end
    )
    from t, app.bill_window(
      (p_args ->> 'uid')::bigint, (p_args ->> 'level')::smallint, p_args ->> 'type', p_args ->> 'source',
      coalesce((p_args ->> 'amount')::boolean, false),
      p_args ->> 'balance', coalesce((p_args ->> 'earned')::boolean, false), t.now - (p_args ->> 'from')::interval,
      t.now - (p_args ->> 'to')::interval, t.now
    ) as w
  );
exception when sqlstate 'PT422' then
  get stacked diagnostics v_reason = pg_exception_detail;
  return substring(v_reason, 'a day at a time|31 days|93 days');
end
$$;

select is(pg_temp.searched(c.args), c.searched, c.sentence) from (values
  (jsonb '{"type": "brokerage"}', '-31 days, limited', 'a type is searched for in the last 31 days'),
    ('{"source": "release"}', '-31 days, releases, limited', 'so is a source'),
  ('{"type": "frozen_points_release"}', '-31 days, releases, limited', 'also that of releases'),
  ('{"source": "cycle"}', '-31 days, limited', 'other sources have no release'),
  (
    '{"amount": true, "balance": "frozen_points"}', '-1 days, releases, limited', 'an amount of points, in the last day'
  ),
  ('{"amount": true, "balance": "available_points"}', '-1 days, releases, limited', 'of either kind'),
  (
    '{"amount": true, "balance": "brokerage"}', '-31 days, limited',
    'but one of commission in 31 days: a release has none'
  ),
  ('{"amount": true, "balance": "frozen_points", "type": "brokerage"}', '-31 days, limited', 'as one of another type'),
  ('{"type": "brokerage", "from": "31 days"}', '-31 days', 'a period of 31 days is allowed'),
  ('{"type": "brokerage", "from": "31 days 1 hour"}', '-31 days -01:00:00', 'with an hour more'),
  ('{"type": "brokerage", "from": "31 days 3601 seconds"}', '31 days', 'but not longer'),
  ('{"type": "brokerage", "from": "62 days", "to": "31 days"}', '-62 days', 'it may be over'),
  ('{"type": "brokerage", "from": "62 days", "to": "30 days"}', '31 days', 'but then be no longer'),
  ('{"type": "brokerage", "from": "31 days", "to": "-9 days"}', '-31 days', 'what is to come does not count'),
  (
    '{"amount": true, "balance": "frozen_points", "from": "25 hours"}', '-1 days -01:00:00, releases',
    'amounts of points are searched for in a day and an hour'
  ),
  ('{"amount": true, "balance": "frozen_points", "from": "90001 seconds"}', 'a day at a time', 'and not longer'),
  ('{"amount": true, "balance": "brokerage", "from": "25 days"}', '-25 days', 'those of commission are'),
  (
    '{"amount": true, "balance": "frozen_points", "uid": 1, "from": "400 days"}', '-400 days, releases',
    'with a member, any period is'
  ),
  ('{"from": "400 days"}', '-400 days, releases', 'so is one without a condition'),
  ('{"type": "brokerage", "to": "10 days"}', '-41 days, limited', 'without a beginning, it is limited from its end'),
  ('{"type": "brokerage", "to": "-10 days"}', '-31 days, limited', 'or from now, if that is earlier'),
  ('{"level": 2}', '-31 days, releases, limited', 'a level is searched for in the last 31 days'),
  ('{"level": 2, "uid": 1, "from": "400 days"}', '-400 days, releases', 'but not with a member'),
  (
    '{"earned": true, "level": 2, "amount": true, "balance": "frozen_points"}', '-93 days, limited',
    'what orders earned has no release, and 93 days'
  ),
  ('{"earned": true, "from": "93 days 1 hour"}', '-93 days -01:00:00', 'with an hour more'),
  ('{"earned": true, "from": "94 days"}', '93 days', 'and not longer')
) as c (args, searched, sentence);

select * from finish();
rollback;
