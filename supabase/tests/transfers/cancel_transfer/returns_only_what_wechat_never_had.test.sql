begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
grant store_api to postgres;
select plan(18);

create temporary table m as select n, pg_temp.wechat_member() as uid from generate_series(1, 4) as n;
create temporary table w as select m.n, m.uid, pg_temp.asked_transfer(m.uid) as no from m where n < 4;
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.cancel(p_n integer) returns text language sql as $$
  select coalesce(substring(c.text from '"state": "([a-z]+)"'), c.text)
  from admin, app.withdrawals as l join w on w.no = l.withdrawal_no
  cross join lateral (select pg_temp.call(admin.id, 'cancel_transfer', jsonb_build_object('p_id', l.id)) as text) as c
  where w.n = p_n
$$;
create function pg_temp.no(p_n integer) returns text language sql as $$ select no from w where n = p_n $$;

-- The first: WeChat waits for the member.
select pg_temp.hear(pg_temp.no(1), 'confirming');
update app.outbox set run_after = now() + interval '1 hour';
select is(pg_temp.cancel(1), 'paying', 'a cancelled transfer is open until WeChat has said so');
select ok(run_after <= clock_timestamp(), 'WeChat is asked at once') from app.outbox where key = pg_temp.no(1);
select is(
  app.begin_transfer(pg_temp.no(1), 'merchant 1', now()) -> 'must_cancel', 'true', 'the worker no longer requests it'
);
select is(
  pg_temp.hear(pg_temp.no(1), 'unknown', null, now() + interval '2 hours'), 'paying confirming',
  'what WeChat had is never taken for lost'
);
select is(pg_temp.hear(pg_temp.no(1), 'succeeded'), 'paid succeeded', 'a member may be faster');
select matches(pg_temp.cancel(1), 'withdrawal_state_conflict', 'then it is too late');

-- The second: WeChat does not know it.
select is(
  pg_temp.hear(pg_temp.no(2), 'unknown', null, now() + interval '2 hours'), 'paying',
  'without the cancellation, a number that WeChat does not know is asked for again'
);
select is(pg_temp.cancel(2), 'paying', 'with it');
select is(
  pg_temp.hear(pg_temp.no(2), 'unknown', null, now() + interval '59 minutes'), 'paying',
  'a request may be under way for an hour'
);
select is(
  pg_temp.hear(pg_temp.no(2), 'unknown', null, now() + interval '30 days'), 'paying',
  'and after a month WeChat has forgotten what it paid'
);
select is(
  pg_temp.hear(pg_temp.no(2), 'unknown', null, now() + interval '61 minutes'), 'failed cancelled',
  'in between, WeChat never had it'
);
select is(pg_temp.money(uid), '720.00 of 720.00', 'the amount has returned') from w where n = 2;

-- The third: the member has confirmed.
select pg_temp.hear(pg_temp.no(3), 'transferring');
select matches(pg_temp.cancel(3), 'withdrawal_state_conflict', 'what the member has confirmed cannot be cancelled');

-- The fourth: the account of the member is deleted after the approval.
insert into w select n, uid, pg_temp.approved_transfer(uid) from m where n = 4;
delete from auth.users where id = (select u.auth_id from app.users as u join m on m.uid = u.uid where m.n = 4);
select is(
  (
    select openid from app.transfers as t join app.withdrawals as l on l.id = t.withdrawal_id
    where l.withdrawal_no = pg_temp.no(4)
  ),
  null, 'with the member, the id at WeChat is deleted'
);
select is(app.begin_transfer(pg_temp.no(4), 'merchant 1', now()) -> 'must_cancel', 'true', 'and nothing is requested');
select is(pg_temp.hear(pg_temp.no(4), 'unknown'), 'failed cancelled', 'so it never was, and needs no hour');
select is(pg_temp.money(uid), '720.00 of 720.00', 'its amount returns, too') from w where n = 4;
-- WeChat has answered an hour from now.
select is_empty($$ select * from app.reconcile() where check_name <> 'no_row_is_from_the_future' $$, 'the books agree');

select * from finish();
rollback;
