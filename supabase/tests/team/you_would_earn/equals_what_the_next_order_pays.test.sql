begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(14);

create temporary table m as select pg_temp.sign_up() as me;
-- What the product page shows the member, and what an order of a new direct member then pays the member.
create function pg_temp.shown(p_name text default 'flagship') returns text language sql as $$
  select concat_ws(' ', e ->> 'commission', e ->> 'points', e ->> 'reason')
  from m, goods as g,
    lateral (
      select pg_temp.read(
        m.me, 'get_product', jsonb_build_object('p_id', to_jsonb(g) -> p_name)
      ) -> 'you_would_earn' as e
    ) as x
$$;
create function pg_temp.paid() returns text language plpgsql as $$
declare v_id bigint := pg_temp.report(pg_temp.sign_up((select me::text from m))); begin
  return (
    select concat_ws(
      ' ', coalesce(sum(l.brokerage_delta), 0.00), trim_scale(coalesce(sum(l.frozen_delta), 0)), max(s.reason)
    )
    from app.settlements as s left join app.user_bill as l on l.order_id = s.order_id and l.uid = (select me from m)
    where s.order_id = v_id
  );
end $$;
create function pg_temp.plan(p_change jsonb) returns void language sql as $$ select
  from app.create_plan(p_change, null, now()) $$;

select is(
  pg_temp.shown(), '0.00 0 referrer_not_eligible', 'the forecast has no commission without an own reported order'
);
select is(pg_temp.paid(), '0.00 0 referrer_not_eligible', 'an order pays no commission then');
select pg_temp.report((select me from m));
select is(pg_temp.shown(), '720.00 720', 'the forecast has the first place');
select is(pg_temp.paid(), '720.00 720', 'an order pays the first place');
select pg_temp.grade((select me from m), 1);
select pg_temp.plan('{"people_per_cycle": 1, "tier_ratios": [0.1], "points_per_brokerage": 2}');
select is(
  pg_temp.shown(), '1080.00 1580',
  'the forecast has the second place of the open cycle, which keeps its plan, and points by level'
);
select is(pg_temp.paid(), '1080.00 1580', 'an order pays the second place and points by level');
select is(pg_temp.paid(), '1800.00 2300', 'the third place ends the cycle');
select is(pg_temp.shown(), '360.00 1220', 'the forecast of a new cycle uses the plan in force');
select pg_temp.plan('{"payout_cap": 0.05, "tier_ratios": [0.05]}');
select is(pg_temp.shown(), pg_temp.paid(), 'the forecast applies the payout cap');
select pg_temp.plan('{"payout_cap": 1, "minimum_base": 5000}');
select is(pg_temp.shown(), '0.00 0 below_minimum', 'a price below the minimum base pays nothing');
select is(pg_temp.shown('gift'), '0.00 0 below_minimum', 'a gift pays nothing');
select pg_temp.plan('{"minimum_base": 0.01}');
select is(pg_temp.shown('tea'), '', 'a product that is not queue goods has no forecast');
select set_config('request.jwt.claims', '', true);
select is(
  (select pg_temp.attempt('anon', format('select api.get_product(%s) -> ''you_would_earn''', flagship)) from goods),
  'null', 'a visitor gets no forecast'
);
select
  is((select count(*)
  from jsonb_array_elements(pg_temp.read((select me from m), 'get_products', '{"p_limit": 100}') -> 'list') as p
  join goods as g on (p ->> 'id')::bigint in (g.flagship, g.gift, g.tea)
  where (p -> 'you_would_earn' = 'null') = ((p ->> 'id')::bigint = g.tea)), 3::bigint,
    'the list has a forecast for every product that is queue goods');

select * from finish();
rollback;
