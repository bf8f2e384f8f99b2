-- Guarantee rules/estimate: The estimate for the next order is what the engine would pay, with the payout cap in force
-- By: the engine computes it, app.you_would_earn
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(10);

update app.products set is_show = false
where id not in (select unnest(array[g.flagship, g.tea, g.gift]) from goods as g);
create temporary table m as select pg_temp.sign_up() as me;
create function pg_temp.prospects() returns jsonb language sql as $$ select pg_temp.read(me, 'get_prospects') from m $$;
create function pg_temp.flagship() returns jsonb language sql as $$
  select p -> 'you_would_earn' from goods as g, jsonb_array_elements(pg_temp.prospects() -> 'products') as p
  where (p ->> 'id')::bigint = g.flagship
$$;

select is(
  pg_temp.flagship(), '{"commission": "0.00", "points": 0, "reason": "referrer_not_eligible"}',
  'without an own reported order, an order would pay nothing, and why'
);
select is(pg_temp.prospects() #> '{progress,eligible}', 'false', 'the member is not eligible');
select is(
  (pg_temp.prospects() -> 'forecast') - '{half_released_after_days, forecast}'::text[], '{"frozen_points": 0}',
  'nothing will be released'
);
select pg_temp.report(me) from m;
select is(
  pg_temp.flagship(), '{"commission": "720.00", "points": 720, "reason": null}', 'the first place pays 3,600.00 x 0.2'
);
select pg_temp.reporter(me) from m;
select is(pg_temp.flagship() ->> 'commission', '1080.00', 'the second one 3,600.00 x 0.3');
select is(
  (pg_temp.prospects() #>> '{forecast,frozen_points}')::numeric, 720.0, 'what the first one brought will be released'
);
select app.create_plan('{"tier_ratios": [0.2, 0.2, 0.2], "payout_cap": 0.25}', null, now());
select is(pg_temp.flagship() ->> 'commission', '900.00', 'with the payout cap that is in force, 3,600.00 x 0.25');
select is(pg_temp.prospects() #> '{progress,next_ratio}', '0.25', 'and the ratio says so');
select is(
  array(select (p ->> 'id')::bigint from jsonb_array_elements(pg_temp.prospects() -> 'products') as p order by 1),
  array(select unnest(array[g.flagship, g.gift]) from goods as g order by 1),
  'it names the queue goods, and nothing else'
);
update app.products set is_show = false where id = (select flagship from goods);
select is(jsonb_array_length(pg_temp.prospects() -> 'products'), 1, 'a product that is not on sale is not named');

select * from finish();
rollback;
