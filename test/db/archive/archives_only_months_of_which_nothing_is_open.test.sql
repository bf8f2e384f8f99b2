begin;
\ir ../support/fixture.psql
\ir ../support/archive.psql
select plan(18);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as
select pg_temp.old_order(null, '2025-03-02T00:00:00Z', (select uid from m)) as first, pg_temp.old_order((select uid from m), '2025-03-05T00:00:00Z') as id;

create function pg_temp.obstacle(p_change text default 'select 1', p_month date default '2025-03-01') returns text language plpgsql as $$
declare
  v_obstacle text;
begin
  begin
    execute p_change;
    v_obstacle := app.archive_obstacle('user_bill', p_month, now());
    raise exception using errcode = 'PV000', message = 'undo';
  exception when sqlstate 'PV000' then
    return v_obstacle;
  end;
end $$;

select is(pg_temp.obstacle(), 'the nightly reconciliation has not proved it as a closed month', 'not before its sums are carried');
select from app.close_month('2025-03', null);
select from app.close_month('2025-04', null);
select pg_temp.night();
select is(pg_temp.obstacle(), null, 'a month that was proved and of which nothing is open');
select is(pg_temp.obstacle(p_month => '2025-04-01'), '2025-03 is older and not archived', 'not before an older month');
select is(pg_temp.obstacle(p_month => '2025-02-01'), 'it has no partition of its own', 'not a month in the default partition');
select matches(pg_temp.obstacle($$ update app.settings set refund_window_days = 3650 $$), '^it ended less than 3650 days ago', 'not within the refund window');
select matches(pg_temp.obstacle(d.change), '^order [0-9]+ is open, can be refunded, or has commission that matures$', d.what)
from (values
  ('update app.orders set received_at = now() - interval ''6 days'' where id = (select id from o)', 'not while an order can be refunded'),
  ('update app.orders set state = ''delivered'', received_at = null where id = (select id from o)', 'not while an order is not received'),
  ('select app.request_refund(o.id, null, ''In time'', s.received_at + interval ''1 day'') from o join app.orders as s on s.id = o.id', 'not while a refund is requested'),
  ('update app.commission_maturities set matures_at = now() + interval ''1 day''', 'not while commission matures')
) as d (change, what);

select is(app.archive_obstacle('points_release_log', '2025-03-01', now()), null, 'a month of the release log in which nothing was to be released');
savepoint missed;
select from app.begin_release('2025-03-30', false, '2025-03-30Z');
create function pg_temp.obstacles() returns setof text language sql as $$
  select app.archive_obstacle(t.name, '2025-03-01', now()) from unnest('{user_bill, points_release_log}'::text[]) as t (name)
$$;
select is(array(select pg_temp.obstacles()), array_fill('the release of 2025-03-30 is not finished'::text, '{2}'), 'neither the bill nor the log while a release has begun and not ended');
select from app.end_release('2025-03-30', 0, '2025-03-30Z');
select is(array(select pg_temp.obstacles()), array_fill('the release of 2025-03-31 is not finished'::text, '{2}'), 'nor while a day is missed, which is released later');
rollback to savepoint missed;
select throws_matching($$ select app.archive_month('user_bill', '2025-04-01') $$, 'invalid_argument', 'archive_month() refuses what has an obstacle');
select is(app.archive_month('user_bill', '2025-03-01'), true, 'and archives what has none');

-- The end of 31 March in Shanghai is 16:00 UTC; the archived month ends later.
update app.settings set time_zone = 'Asia/Shanghai';
select throws_matching($$ select app.reject_archived_release('2025-03-31') $$, 'month_archived', 'a day whose bill rows are archived cannot be released late');
select lives_ok($$ select app.reject_archived_release('2025-04-01') $$, 'the day after can');
update app.settings set time_zone = 'America/Los_Angeles';
select lives_ok($$ select app.reject_archived_release('2025-03-31') $$, 'as can a day that ends in an attached month');
select lives_ok($$ select app.reject_archived_release(null) $$, 'and the run that names no day');

select * from finish();
rollback;
