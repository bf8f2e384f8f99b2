begin;
\ir ../support/fixture.psql
\ir ../support/archive.psql
select plan(30);

create temporary table m as select pg_temp.sign_up() as uid;
select pg_temp.old_order(null, '2025-03-02T00:00:00Z', (select uid from m));
create temporary table o as select pg_temp.old_order((select uid from m), '2025-03-05T00:00:00Z') as id;
select pg_temp.release('2025-03-07');
select pg_temp.old_order((select uid from m), '2025-04-05T00:00:00Z');
select pg_temp.release('2025-04-07');
select from app.close_month('2025-03', null);
select from app.close_month('2025-04', null);
select from app.close_month('2025-05', null);
select pg_temp.night();
select is((select sample from app.reconcile_runs order by id desc limit 1), '[]', 'the months are proved');

-- What a refund of the order of March books and leaves.
create function pg_temp.refunded() returns jsonb language plpgsql as $$
declare
  v_result jsonb;
begin
  begin
    perform app.refund_order((select id from o), null, null, now());
    v_result := jsonb_build_object(
      'bill', (select jsonb_agg(to_jsonb(b) - 'id' order by b.id) from app.user_bill as b where b.add_time = now()),
      'balances', (select jsonb_agg(to_jsonb(b) order by b.uid) from app.user_balances as b),
      'settlement', (select to_jsonb(s) - 'place_freed_position' from app.settlements as s where s.order_id = (select id from o)),
      'found', (select jsonb_agg(r) from app.reconcile() as r)
    );
    raise exception using errcode = 'PV000', message = 'undo';
  exception when sqlstate 'PV000' then
    return v_result;
  end;
end $$;
-- What names a time in March, without the note of what is archived.
create function pg_temp.named() returns jsonb language sql as $$
  select jsonb_build_array(
    app.explain_order((select id from o)), app.statement_json((select uid from m), '2025-03') - '{archived_until, months}'::text[], app.bill_lines(null, null, null, null),
    app.bill_page((select uid from m), null, '2025-03-01Z', '2025-04-01Z', 1, 50, null) - 'archived_until', (select jsonb_agg(r order by r.id) from app.releases('2025-03-01', '2025-03-31') as r)
  )
$$;
create temporary table before as
select pg_temp.named() as named, pg_temp.refunded() as refund, app.statement_json((select uid from m), '2025-05') as statement, app.bill_page((select uid from m), null, null, null, 1, 50, null) as page;
select cmp_ok(jsonb_array_length((select refund -> 'bill' from before)), '>', 1, 'a refund of the order reverses commission and points');
create function pg_temp.all_is_well(p_when text) returns text language sql as $$ select is_empty('select * from app.reconcile()', 'reconcile() finds nothing ' || p_when) $$;

select is(app.archive_month('points_release_log', '2025-03-01'), true, 'March of the release log is archived');
select pg_temp.all_is_well('with March of the release log archived');
select is(app.archive_month('user_bill', '2025-03-01'), true, 'so is March of the bill');
select is(app.archive_month('user_bill', '2025-03-01'), false, 'only once');
select pg_temp.all_is_well('with March archived');
select pg_temp.night();
select is((select sample from app.reconcile_runs order by id desc limit 1), '[]', 'neither does the nightly run');
select is((select count(*) from archive.user_bill_202503) > 0 and not exists (select from app.user_bill where add_time < '2025-04-01Z'), true, 'its rows stand in schema archive');
select throws_ok('delete from archive.user_bill_202503', '23001', null, 'and are not changed there');
select throws_ok($$ select app.refund_order((select id from o), null, null, now()) $$, 'PT409', 'order_archived', 'a refund of its order is refused');
select throws_ok($$ select app.preview_refund((select id from o), null, now()) $$, 'PT409', 'order_archived', 'so is its preview');
select is(pg_temp.named(), (select named from before), 'what names its time is answered as before: explanation, statement, file, page of a period, releases');
savepoint dropped;
drop table archive.user_bill_202503;
select throws_ok($$ select app.explain_order((select id from o)) $$, 'PT409', 'month_archived', 'an explanation is refused once the table is dropped');
select throws_ok($$ select app.statement_json((select uid from m), '2025-03') $$, 'PT409', 'month_archived', 'so is a statement of the month');
select throws_ok($$ select app.bill_lines(null, null, null, null) $$, 'PT409', 'month_archived', 'so is a file that would begin in it');
rollback to savepoint dropped;
-- As a table that was restored from a dump.
alter table archive.user_bill detach partition archive.user_bill_202503;
select throws_ok($$ select app.statement_json((select uid from m), '2025-03') $$, 'PT409', 'month_archived', 'and as long as it is not shown');
select is(array[app.show_month('user_bill', '2025-03-01'), app.show_month('user_bill', '2025-03-01')], '{true, false}', 'a table that is restored is shown');
select is(pg_temp.named(), (select named from before), 'and read again');
select is(app.bill_page((select uid from m), null, null, null, 1, 50, null) ->> 'archived_until', '2025-04-01T00:00:00.000Z', 'a page of the bill says until when rows are archived');
select is(app.statement_json((select uid from m), '2025-05') -> 'opening', (select statement -> 'opening' from before), 'later balances are the same');
select is((select count(*) from app.create_month_partition('user_bill', '2025-03-01') where to_regclass('app.user_bill_202503') is not null), 0::bigint, 'no other partition takes its place');

select app.archive_month('points_release_log', '2025-04-01');
select app.archive_month('user_bill', '2025-04-01');
select pg_temp.all_is_well('with April archived, too');
select throws_ok($$ select app.attach_month('user_bill', '2025-03-01') $$, 'PT422', 'invalid_argument', 'the last archived month is attached first');

alter table archive.user_bill_202504 disable trigger archived_rows_are_never_changed;
savepoint damage;
alter table archive.user_bill_202504 drop constraint month_2025_04_is_closed;
update archive.user_bill_202504 set agent_level = 4 where id = (select min(id) from archive.user_bill_202504);
select throws_ok($$ select app.attach_month('user_bill', '2025-04-01') $$, 'XX001', null, 'a month with a changed row is not attached');
rollback to savepoint damage;
alter table archive.user_bill_202504 enable trigger archived_rows_are_never_changed;

select app.attach_month('user_bill', '2025-04-01');
select pg_temp.all_is_well('with April attached again');
select app.attach_month('user_bill', '2025-03-01');
select app.attach_month('points_release_log', '2025-04-01');
select app.attach_month('points_release_log', '2025-03-01');
select pg_temp.all_is_well('with everything attached again');
select is((select count(*) from app.archived_balances), 0::bigint, 'no sums are left');
select is(app.bill_page((select uid from m), null, null, null, 1, 50, null), (select page from before), 'the bill is what it was');
select is(pg_temp.refunded(), (select refund from before), 'a refund does what it would have done before, to the last digit');

select * from finish();
rollback;
