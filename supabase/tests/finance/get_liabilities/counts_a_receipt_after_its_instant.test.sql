begin;
\ir ../../support/fixture.psql
select plan(4);

-- Commission that matures at once by its receipt: both are at the same instant.
select from app.create_plan('{"holding_days": 0}', null, '2026-01-01Z');
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table b as select pg_temp.sign_up(m.uid::text) as uid from m;
update app.users set add_time = '2026-01-01Z' where uid in (select uid from m union all select uid from b);
select pg_temp.report(uid, 1, '2026-01-02Z') from m;
create temporary table o as select pg_temp.report(uid, 1, '2026-01-03Z') as id from b;
select from o cross join lateral app.confirm_receipt(o.id, '2026-01-05Z');

create function pg_temp.owed(p_at timestamptz) returns text language sql as $$
  select concat_ws(' ', w.withdrawable, w.maturing, w.after_receipt) from m
  cross join lateral app.owed_at(p_at, now(), m.uid - 1, m.uid) as w
$$;
create function pg_temp.shown(p_at timestamptz) returns text language sql as $$
  select concat_ws(' ', j.c ->> 'withdrawable', j.c ->> 'maturing')
  from (select app.member_json(m.uid, p_at, now()) #> '{accounts,commission}' as c from m) as j
$$;

select is(pg_temp.owed('2026-01-05Z'), '0.00 720.00 720.00', 'at the instant of the receipt, commission waits for it');
select is(pg_temp.shown('2026-01-05Z'), '0.00 720.00', 'also on the page of the member');
select is(pg_temp.owed('2026-01-05 00:00:00.000001Z'), '720.00 0.00 0.00', 'a microsecond later, it has matured');
select is(pg_temp.shown('2026-01-05 00:00:00.000001Z'), '720.00 0.00', 'also on the page of the member');

select * from finish();
rollback;
