begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table own as select pg_temp.report(a, 2) as id from m;
create function pg_temp.refund_unit() returns bigint language sql as $$
  select (
    app.refund_order(
      own.id,
      (
        select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
        where l.order_id = own.id
      ),
      null, now()
    )
  ).id
  from own
$$;
create function pg_temp.reason() returns text language sql as $$ select s.reason
  from m, pg_temp.settlement(pg_temp.report(pg_temp.sign_up(m.a::text))) as s $$;

select pg_temp.refund_unit();
select is(pg_temp.reason(), null, 'a member with a unit left of their own order earns commission');
select is((pg_temp.balances(a)).brokerage_price, 720.00, 'it is that of the first place') from m;
select pg_temp.refund_unit();
select is(pg_temp.reason(), 'referrer_not_eligible', 'after the last unit is refunded, they do not (R4)');

select * from finish();
rollback;
