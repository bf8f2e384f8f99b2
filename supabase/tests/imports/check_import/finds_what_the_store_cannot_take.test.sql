begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(44);

-- What a check finds after a change of the staged rows, which is rolled back.
create function pg_temp.found(p_change text) returns text language plpgsql as $$
declare
  v_result text;
begin
  begin
    execute p_change;
    v_result := (
      select string_agg(
        format('%s %s %s %s: %s [%s]', f.severity, f.file, f.line, f.name, f.finding, f.value), '; ' order by f.line
      )
      from app.check_import(now()) as f where f.finding <> 'is unpaid: the order is imported as cancelled'
    );
    raise exception using errcode = 'ZZ000';
  exception when sqlstate 'ZZ000' then
    return v_result;
  end;
end
$$;

select pg_temp.stage();
select is(pg_temp.found('select'), null, 'the example has no findings');
select is(pg_temp.found(d.change), d.finding, format('the check finds %s', d.sentence)) from (values
  (
    'update app.staged_members set uid = null where uid = ''503''', 'error members 2 uid: is missing []',
    'a value that is missing'
  ),
  (
    'update app.staged_members set commission = ''1,080.50'' where uid = ''501''',
    'error members 4 commission: is not an amount of money with at most 2 decimals [1,080.50]',
    'an amount that is no number'
  ),
  (
    'update app.staged_orders set paid_at = ''2025-02-30T00:00:00Z'' where order_no = ''old1''',
    'error orders 2 paid_at: is a day that the month does not have [2025-02-30T00:00:00Z]', 'a day that does not exist'
  ),
  (
    'update app.staged_orders set paid_at = ''2099-01-01T00:00:00Z'' where order_no = ''old1''',
    'error orders 2 paid_at: is in the future [2099-01-01T00:00:00Z]', 'a time in the future'
  ),
  (
    'update app.staged_members set referrer = ''503'' where uid = ''502''',
    'error members 2 referrer: is part of a loop of referrers: correct one of its members [503 → 502 → 503]',
    'a loop of referrers'
  ),
  (
    'insert into app.staged_members (line, uid, referrer) select n + 10, (600 + n)::text, (600 + n % 13 + 1)::text from generate_series(1, 13) as n; insert into app.staged_members (line, uid, referrer) values (30, ''700'', ''601'')',
    'error members 11 referrer: is part of a loop of referrers: correct one of its members [601 → 602 → 603 → 604 → 605 → 606 → 607 → 608 → 609 → 610 → 611 → 612 → …]',
    'a loop of thirteen once, whoever is below it'
  ),
  (
    'update app.staged_members set referrer = ''999'' where uid = ''502''',
    'error members 3 referrer: is not a known member [999]', 'an unknown referrer'
  ),
  (
    'update app.staged_members set referrer = uid where uid = ''504''', 'error members 5 referrer: is the member [504]',
    'a member who refers themselves'
  ),
  (
    'insert into app.staged_members (line, uid) values (6, ''504'')',
    'error members 5 uid: occurs more than once [504]; error members 6 uid: occurs more than once [504]',
    'a uid that occurs twice'
  ),
  (
    'update app.staged_members set level = ''9'' where uid = ''502''',
    'error members 3 level: is not an active level of this store [9]', 'an unknown level'
  ),
  (
    'update app.staged_members set places = ''3'' where uid = ''501''',
    'error members 4 places: is not below the 3 places of a cycle of the plan in force [3]',
    'as many places as a cycle has'
  ),
  (
    'update app.staged_members set phone = ''13800000502'' where uid = ''501''',
    'warning members 3 phone: belongs to several members: nobody can be claimed by it [13800000502]; warning members 4 phone: belongs to several members: nobody can be claimed by it [13800000502]',
    'a phone number of two members'
  ),
  (
    'update app.staged_members set unionid = ''u1'' where uid in (''501'', ''502'')',
    'warning members 3 unionid: belongs to several members: nobody can be claimed by it [u1]; warning members 4 unionid: belongs to several members: nobody can be claimed by it [u1]',
    'a unionid of two members'
  ),
  (
    'insert into app.staged_openids (line, uid, openid) values (3, ''501'', ''o-cid'')',
    'warning openids 2 openid: belongs to several members: nobody can be claimed by it [o-cid]; warning openids 3 openid: belongs to several members: nobody can be claimed by it [o-cid]',
    'an openid of two members'
  ),
  (
    'insert into app.staged_openids (line, uid, openid, appid) values (3, ''503'', ''o-cid'', ''wx1'')', null,
    'nothing if a member has an openid twice'
  ),
  (
    'update app.staged_members set phone = ''13800000502'', is_claimable = ''0'' where uid = ''501''', null,
    'nothing if only one of the members with a phone number can be claimed'
  ),
  (
    'update app.staged_members set avatar = ''/uploads/a.png'' where uid = ''501''',
    'warning members 4 avatar: is not an address of at most 512 characters on an allowed origin (docs/deploy.md, "Avatars"): it is left out [/uploads/a.png]',
    'a picture without an address'
  ),
  (
    'update app.staged_members set avatar = ''https://old.example.com/a.png'' where uid = ''501''',
    'warning members 4 avatar: is not an address of at most 512 characters on an allowed origin (docs/deploy.md, "Avatars"): it is left out [https://old.example.com/a.png]',
    'a picture of an origin that is not allowed'
  ),
  (
    'update app.staged_orders set paid_at = ''2025-01-01T00:00:00+23:00'' where order_no = ''old1''',
    'error orders 2 paid_at: is not a time such as 2026-01-31T08:30:00+08:00 [2025-01-01T00:00:00+23:00]',
    'an offset that no time zone has'
  ),
  (
    'update app.staged_orders set pay_type = ''WeiXin-H5'', pay_ref = ''x'' where order_no = ''old1''; update app.staged_orders set pay_type = null, pay_ref = ''x'' where order_no = ''old2''',
    'error orders 2 pay_ref: paid another order, too [x]; error orders 3 pay_ref: paid another order, too [x]',
    'a payment of two orders whose types are written alike in the store'
  ),
  (
    'update app.staged_orders set pay_type = null, pay_ref = null where order_no = ''old1''; update app.staged_orders set pay_type = null, pay_ref = ''old1'' where order_no = ''old2''',
    'error orders 2 pay_ref: paid another order, too [old1]; error orders 3 pay_ref: paid another order, too [old1]',
    'a payment whose reference is the number of an order without one'
  ),
  (
    'create temporary table o as select pg_temp.report(pg_temp.sign_up()) as id; update app.orders set pay_type = ''imported'', pay_ref = ''old5'' where id = (select id from o)',
    'error orders 6 pay_ref: paid an order of this store [old5]', 'a payment of an order of this store'
  ),
  (
    'update app.staged_order_lines set price = ''999999999'', quantity = ''9999'' where order_no = ''old3''',
    'error orders 4 total_price: is too large: the lines add up to a trillion or more [9998999990001]',
    'lines that add up to more than the store can hold'
  ),
  (
    'insert into app.users (uid, nickname) overriding system value values (504, ''Zoe'')',
    'warning members 5 uid: is the number of another member of this store: the member gets a new one (app.imported_members) and needs a new share link [504]',
    'a uid that another member has'
  ),
  (
    'update app.staged_members set phone = ''unknown'' where uid = ''501''',
    'warning members 4 phone: is not a phone number: it is left out [unknown]', 'a text that is no phone number'
  ),
  (
    'update app.staged_orders set tracking_no = ''#N/A'' where order_no in (''old1'', ''old2'')',
    'warning orders 2 tracking_no: is no tracking number (docs/operations.md, "Shipping"): it is left out [#N/A]',
    'what is no tracking number, of an order that was shipped'
  ),
  (
    'update app.staged_orders set pay_price = ''7300'' where order_no = ''old2''',
    'error orders 3 pay_price: is not 7258: the lines (7250), less the discount (0), plus freight (8) [7300]',
    'an order that was paid above its sum'
  ),
  (
    'update app.staged_orders set discount = ''10'', total_price = null where order_no = ''old2''',
    'error orders 3 pay_price: is not 7248: the lines (7250), less the discount (10), plus freight (8) [7008]',
    'a discount that does not fit'
  ),
  (
    'update app.staged_orders set total_price = ''7200'' where order_no = ''old2''',
    'error orders 3 total_price: is not the sum of the lines, 7250 [7200]', 'a total that is not the sum of the lines'
  ),
  (
    'update app.staged_orders set uid = ''999'' where order_no = ''old2''',
    'error orders 3 uid: is not a known member [999]', 'an unknown buyer'
  ),
  (
    'update app.staged_orders set referrer = uid where order_no = ''old2''',
    'error orders 3 referrer: is the buyer [502]', 'a buyer who refers the order'
  ),
  (
    'update app.staged_orders set paid_at = null where order_no = ''old2''',
    'error orders 3 paid_at: is missing although the order is paid []', 'a paid order without a time'
  ),
  (
    'update app.staged_orders set pay_ref = ''wx1'' where order_no = ''old2''',
    'error orders 2 pay_ref: paid another order, too [wx1]; error orders 3 pay_ref: paid another order, too [wx1]',
    'a payment of two orders'
  ),
  (
    'delete from app.staged_order_lines where order_no = ''old7''', 'error orders 8 order_no: has no lines [old7]',
    'an order without lines'
  ),
  (
    'insert into app.staged_order_lines (line, order_no, line_no, product_id, price, quantity) values (10, ''old9'', ''1'', ''F1'', ''1'', ''1'')',
    'error order_lines 10 order_no: is not a known order [old9]', 'a line without an order'
  ),
  (
    'update app.staged_order_lines set product_id = ''X'' where line = 9',
    'error order_lines 9 product_id: is not a known product [X]', 'an unknown product'
  ),
  (
    'update app.staged_order_lines set line_no = ''1'' where line = 4',
    'error order_lines 3 line_no: occurs more than once in the order [1]; error order_lines 4 line_no: occurs more than once in the order [1]',
    'a line that occurs twice'
  ),
  (
    'update app.staged_refunds set quantity = ''3'' where refund_no = ''r1''',
    'error refunds 2 quantity: is more than the 2 units of the line, together with other refunds [3]',
    'a refund of more units than were sold'
  ),
  (
    'update app.staged_refunds set order_no = ''old6'' where refund_no = ''r2''',
    'error refunds 3 order_no: is not a known paid order [old6]', 'a refund of an order that was not paid'
  ),
  (
    'update app.staged_refunds set line_no = ''5'' where refund_no = ''r1''',
    'error refunds 2 line_no: is not a line of the order [5]', 'a refund of an unknown line'
  ),
  (
    'insert into app.staged_refunds (line, order_no, refund_no, state) values (5, ''old3'', ''r4'', ''requested'')',
    'error refunds 4 state: is requested in several refunds of the order [requested]; error refunds 5 state: is requested in several refunds of the order [requested]',
    'two requests of one order'
  ),
  (
    'insert into app.staged_bill (line, source, id, uid, type, amount) values (3, ''bill'', ''2'', ''999'', ''x'', ''1'')',
    'error bill 3 uid: is not a known member [999]', 'a bill row of an unknown member'
  ),
  (
    'update app.staged_openids set uid = ''999''', 'error openids 2 uid: is not a known member [999]',
    'an openid of an unknown member'
  )
) as d (change, finding, sentence);

select * from finish();
rollback;
