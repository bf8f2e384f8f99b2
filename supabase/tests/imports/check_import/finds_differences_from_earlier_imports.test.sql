begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(17);

select pg_temp.stage();
select pg_temp.import();
select pg_temp.stage();
create function pg_temp.found(p_change text) returns text language plpgsql as $$
declare
  v_result text;
begin
  begin
    execute p_change;
    v_result := (
      select string_agg(
        format('%s %s %s %s: %s [%s] %s', f.severity, f.file, f.line, f.name, f.finding, f.value, f.total), '; '
        order by f.line, f.name
      )
      from app.check_import(now()) as f where f.finding <> 'is unpaid: the order is imported as cancelled'
    );
    raise exception using errcode = 'ZZ000';
  exception when sqlstate 'ZZ000' then
    return v_result;
  end;
end
$$;

select is(pg_temp.found('select'), null, 'nothing if the files are the same');
select is(pg_temp.found(d.change), d.finding, format('the check finds %s', d.sentence)) from (values
  (
    'update app.staged_members set commission = ''1100'' where uid = ''501''',
    'warning members 4 commission: differs from what was imported before, and is not imported again [1100 (imported: 1080.50)] 1',
    'a balance of commission that differs'
  ),
  (
    'update app.staged_members set frozen_points = ''1'' where uid = ''503''',
    'warning members 2 frozen_points: differs from what was imported before, and is not imported again [1 (imported: 0)] 1',
    'a balance of points of a member who had no points'
  ),
  (
    'update app.staged_members set level = ''2'', places = ''1'' where uid in (''501'', ''502'')',
    'warning members 3 level: differs from what was imported before, and is not imported again [2 (imported: 1)] 1; warning members 3 places: differs from what was imported before, and is not imported again [1 (imported: 0)] 2; warning members 4 places: differs from what was imported before, and is not imported again [1 (imported: 2)] 2',
    'a level and places that differ'
  ),
  (
    'update app.staged_orders set state = ''received'' where order_no = ''old3''',
    'warning orders 4 state: is ahead of the order that was imported before, which does not change [old3: received (in this store: delivered)] 1',
    'a state of an order that differs'
  ),
  (
    'update app.staged_orders set state = ''paid'', paid_at = ''2025-01-06T00:00:00Z'' where order_no = ''old6''',
    'warning orders 7 state: is ahead of the order that was imported before, which does not change [old6: paid (in this store: cancelled)] 1',
    'an order that was paid after all'
  ),
  (
    'update app.staged_orders set state = ''cancelled'' where order_no = ''old7''',
    'warning orders 8 state: is ahead of the order that was imported before, which does not change [old7: cancelled (in this store: paid)] 1',
    'an order that was cancelled'
  ),
  (
    'update app.staged_orders set discount = ''10'', pay_price = ''40'' where order_no = ''old7''',
    'warning orders 8 pay_price: differs from the order that was imported before, which does not change [old7: 40 (imported: 50.00)] 1',
    'a price of an order that differs'
  ),
  (
    'update app.staged_refunds set quantity = ''2'' where refund_no = ''r1''',
    'warning refunds 2 quantity: is refunded further than the order that was imported before, which does not change [old2: 2 (in this store: 1)] 1',
    'a refund of more units'
  ),
  (
    'update app.staged_refunds set state = ''refunded'' where refund_no = ''r3''',
    'warning refunds 4 quantity: is refunded further than the order that was imported before, which does not change [old3: 1 (in this store: 0)] 1',
    'a refund request that was granted'
  ),
  (
    'insert into app.staged_refunds (line, order_no, refund_no, state) values (5, ''old7'', ''r4'', ''requested'')',
    'warning refunds 5 state: is requested for an order that was imported before, which does not change [old7] 1',
    'a new refund request'
  ),
  -- What happens in this store is no difference.
  (
    'select app.confirm_receipt((pg_temp.old_order(''old2'')).id, now())', null,
    'nothing if the order was received in this store'
  ),
  (
    'select app.refund_order((pg_temp.old_order(''old7'')).id, null, ''here'', now())', null,
    'nothing if the order was refunded in this store'
  ),
  ('select app.set_agent_level(502, 3::smallint, null, now())', null, 'nothing if the level has changed in this store')
) as d (change, finding, sentence);

-- Files of a second system.
update app.users set add_time = '2020-01-01T00:00:00Z' where uid = 501;
select is(
  pg_temp.found('update app.staged_members set joined_at = ''2024-05-01T00:00:00Z'' where uid = ''501'''),
  'error members 4 uid: was imported before for a member who joined at another time: give the members of a second system numbers that are not in use [501] 1',
  'a number that another person has in a second system'
);
select is(
  pg_temp.found(
    'update app.staged_members set uid = ''601'', phone = ''13800000502'', unionid = null where uid = ''503''; update app.staged_openids set uid = ''504''; delete from app.staged_orders where uid = ''503''; delete from app.staged_order_lines as l where not exists (select from app.staged_orders as o where o.order_no = l.order_no); delete from app.staged_refunds as l where not exists (select from app.staged_orders as o where o.order_no = l.order_no)'
  ),
  'warning openids 2 openid: belongs to a member who was imported before: only that member can be claimed by it [o-cid] 1; warning members 2 phone: belongs to a member who was imported before: only that member can be claimed by it [13800000502] 1',
  'a phone number and an openid of members who were imported before'
);
update app.staged_members set uid = '601', phone = '13800000502' where uid = '503';
update app.staged_openids set uid = '601';
delete from app.staged_orders;
delete from app.staged_order_lines;
delete from app.staged_refunds;
select pg_temp.import();
select is(
  (
    select string_agg(
      format('%s %s %s', i.old_uid, i.phone, (select o.openid from app.imported_openids as o where o.uid = i.uid)), ', '
      order by i.old_uid
    )
    from app.imported_members as i where i.old_uid in (502, 503, 601)
  ),
  '502 8613800000502 , 503  o-cid, 601  ', 'the member who was imported first keeps phone number and openid'
);

select * from finish();
rollback;
