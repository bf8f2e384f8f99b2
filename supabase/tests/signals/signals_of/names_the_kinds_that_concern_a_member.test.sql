begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
\ir ../../support/withdrawals.psql
\ir ../../support/signals.psql
\ir ../../support/real_names.psql
select plan(15);

select app.set_settings('{"real_name_from": 100000, "real_name_check": "none"}', now());
create temporary table m as select pg_temp.reporter() as none, pg_temp.reporter() as owner,
  pg_temp.reporter() as couple, pg_temp.sign_up() as one, pg_temp.sign_up() as same, pg_temp.reporter() as earner, pg_temp.sign_up() as referrer;
create function pg_temp.kinds(p_uid bigint) returns text language sql as $$
  select array_to_string(s.kinds, ' ') from app.signals_of(array[p_uid]) as s
$$;

-- Each member has an account, a document and a direct member of their own, and a place that a refund freed.
select pg_temp.account(m.none, '62220212340001'), pg_temp.earn(m.none),
  pg_temp.give(m.none, jsonb_build_object('p_person', repeat('01', 32)))
from m;
select app.refund_order(pg_temp.report(pg_temp.sign_up(m.none::text)), null, null, now()) from m;
select is(pg_temp.kinds(m.none), '', 'a member who shares nothing has no signal') from m;
select is_empty($$ select * from app.signals_of('{}') $$, 'no members have no rows');

select from m, pg_temp.earn(m.couple);
create temporary table w as select pg_temp.withdraw(m.couple, 100) as id from m;
select is(pg_temp.kinds(m.couple), '', 'an account of one member is no signal') from m;
select pg_temp.account(m.owner) from m;
select is(pg_temp.kinds(m.couple) || '; ' || pg_temp.kinds(m.owner), 'shared_account; shared_account', 'of two it is')
from m;
select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'refused', now(), 'No');
select from m, app.payout_accounts as a, app.delete_payout_account(m.couple, a.id, now()) where a.uid = m.couple;
select is(
  pg_temp.kinds(m.couple) || '; ' || pg_temp.kinds(m.owner), 'shared_account; shared_account',
  'also one that was deleted after a withdrawal to it'
)
from m;

select pg_temp.give(m.one), pg_temp.give(m.same) from m;
select is(pg_temp.kinds(m.one) || '; ' || pg_temp.kinds(m.same), 'shared_person; shared_person', 'a shared document')
from m;

create temporary table freed as select pg_temp.report(pg_temp.sign_up(m.earner::text), 2) as id from m;
select from freed, app.refund_order(freed.id, null, null, now());
select is(pg_temp.kinds(m.earner), '', 'a freed place that nobody has taken is no signal') from m;
create temporary table taken as select pg_temp.report(pg_temp.sign_up(m.earner::text), 3) as id from m;
select is(pg_temp.kinds(m.earner), 'retaken_place', 'one that a larger order holds is') from m;

create function pg_temp.sign_ups(p_count integer, p_from timestamptz, p_apart interval) returns void language sql as $$
  insert into app.users (nickname, spread_uid, spread_time, add_time)
  select 'Guest', m.referrer, t.at, t.at
  from m cross join generate_series(0, p_count - 1) as n cross join lateral (select p_from + n * p_apart as at) as t
  order by n
$$;
select pg_temp.sign_ups(19, '2026-11-20Z', '1 minute');
select is(pg_temp.kinds(m.referrer), '', '19 sign-ups are no burst') from m;
select pg_temp.sign_ups(1, '2026-11-20 00:19Z', '1 minute');
select is(pg_temp.kinds(m.referrer), 'sign_up_burst', '20 within an hour are') from m;

select pg_temp.account(m.earner), pg_temp.give(m.earner) from m;
select is(pg_temp.kinds(m.earner), 'retaken_place shared_person shared_account', 'several kinds') from m;

-- The members whom the pages of signals name.
create function pg_temp.listed(p_kind text) returns setof bigint language sql as $$
  select uids.uid::bigint
  from jsonb_array_elements(pg_temp.signal_page(p_kind) -> 'list') as l (e)
  cross join lateral (
    select e ->> 'uid' where e ? 'uid'
    union all
    select f ->> 'uid' from jsonb_array_elements(e -> 'first_members') as f
  ) as uids (uid)
$$;
select set_eq(
  $$
    select s.uid, k from app.signals_of(array(select u.uid from app.users as u)) as s cross join unnest(s.kinds) as k
  $$,
  $$
    select uid, k
    from unnest('{retaken_place, sign_up_burst, shared_person, shared_account}'::text[]) as k
    cross join pg_temp.listed(k) as uid
  $$, 'they are the members whom the pages of signals name'
);

select from taken, app.refund_order(taken.id, null, null, now());
select is(pg_temp.kinds(m.earner), 'shared_person shared_account', 'a place ends to be retaken with a refund') from m;
select pg_temp.sign_ups(app.signal_read_limit(), '2026-11-20 02:00Z', '1 hour');
select is(pg_temp.kinds(m.referrer), '', 'a burst before the last 500 sign-ups is not read') from m;
select is(
  (select count(*)::integer from m, app.signals_of(array[m.none, m.none, m.one])), 2, 'each member has one row'
);

select * from finish();
rollback;
