begin;
\ir ../../support/fixture.psql
select plan(14);

create temporary table t as select '2026-03-01 12:00+00'::timestamptz as now;
-- What the clock says after a report: when it is trusted, and by how much it differs, each from p_now.
create function pg_temp.heard(
  p_trusted interval, p_differs_by interval, p_second interval
) returns text language sql as $$
  delete from app.clock;
  insert into app.clock (trusted_at, differs_by) select now + p_trusted, p_differs_by from t
  where p_trusted is not null;
  select app.hear_clock(now + p_second, now) from t;
  select concat_ws(', differs by ', c.trusted_at - t.now, c.differs_by) from app.clock as c cross join t;
$$;

select is(pg_temp.heard(c.trusted, c.differs_by, c.second), c.result, c.sentence) from (values
  (
    interval '-30 seconds', null::interval, interval '0', '-00:00:30',
    'within a minute, a clock that agrees changes nothing'
  ),
  ('-1 minute', null, '0', '-00:01:00', 'nor after exactly one'),
  ('-61 seconds', null, '0', '00:00:00', 'later, it is trusted again'),
  ('0', null, '0', '00:00:00', 'nothing changes at the same time'),
  ('1 second', null, '0', '00:00:00', 'a later time was wrong'),
  ('-30 seconds', '10 minutes', '0', '00:00:00', 'a clock that agrees again is trusted at once'),
  ('-2 hours', null, '-5 minutes', '00:00:00', 'a second clock that is five minutes behind agrees'),
  ('-2 hours', null, '5 minutes', '00:00:00', 'and one that is ahead by as much'),
  (
    '-2 hours', null, '-301 seconds', '-02:00:00, differs by 00:05:00',
    'but not by a second more: the clock is not trusted'
  ),
  ('-2 hours', null, '301 seconds', '-02:00:00, differs by -00:05:00', 'in both directions'),
  ('-2 hours', '00:05', '-2 hours', '-02:00:00, differs by 02:00:00', 'the last report counts'),
  (null, null, '-2 minutes', '00:00:00', 'the first report is trusted if it agrees'),
  (null, null, '-1 hour', '-01:00:00, differs by 01:00:00', 'otherwise, the earlier of both clocks is'),
  (null, null, '1 hour', '00:00:00, differs by -01:00:00', 'whichever that is')
) as c (trusted, differs_by, second, result, sentence);

select * from finish();
rollback;
