-- The store got the second version of the rules in the middle: a request that was refused before it raised nobody, and
-- one that was refused after it did.
-- Guarantee rules/past-position: A past position is decided again by the rules that held there
-- By: replays ask app.rules_at
begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.reporter() as a, pg_temp.reporter() as z;
create temporary table o as select n, u.uid, pg_temp.report(u.uid, 1, now() + n * interval '1 minute') as id
from (
  select n, pg_temp.sign_up((case when n <= 3 then m.a else m.z end)::text) as uid from m
  cross join generate_series(1, 6) as n
) as u;
create function pg_temp.lower(p_uid bigint) returns void language sql as $$ select
  from app.set_agent_level(p_uid, 0::smallint, null, now() + interval '10 minutes', false) $$;
create function pg_temp.simulated(p_levels jsonb default null) returns text language sql as $$
  select concat_ws(
    ' of ', trim_scale((s.r #>> '{totals,simulated,points}')::numeric),
    trim_scale((s.r #>> '{totals,paid,points}')::numeric)
  )
  from (select app.simulate(null, p_levels, now() + interval '11 minutes', now() + interval '1 hour') as r) as s
$$;
-- A request of the first order below, refused after the level was lowered; then one more order.
create function pg_temp.refuse_and_sell(p_first integer, p_at timestamptz) returns bigint language plpgsql as $$
declare
  v_order record;
  v_position bigint;
begin
  select * into v_order from o where n = p_first;
  perform app.request_refund(v_order.id, null, '', p_at);
  v_position := (app.refuse_refund(v_order.id, p_at + interval '1 minute')).decided_position;
  perform pg_temp.report(v_order.uid, 1, p_at + interval '2 minutes');
  return v_position;
end
$$;
select pg_temp.lower(a), pg_temp.lower(z) from m;
create temporary table p as select pg_temp.refuse_and_sell(1, now() + interval '15 minutes') as a;
alter table p add z bigint;
update p set z = pg_temp.refuse_and_sell(4, now() + interval '20 minutes');

select is(
  pg_temp.simulated(), '2440 of 2440',
  'by the second rules, both rose before their next order: twice 720 commission points and 500 direct points'
);
update app.rule_versions set position = p.a + 1, in_force_since = now() from p where version = 2;
select is(pg_temp.simulated(), '1940 of 2440', 'with the second rules from between the two, only the second one did');
update app.rule_versions set position = p.z + 1 from p where version = 2;
select is(pg_temp.simulated(), '1440 of 2440', 'by the first rules, nobody did');
select is(app.rules_at((select z from p)), 1::smallint, 'the position before the second rules has the first');
select is(app.rules_at((select z + 1 from p)), 2::smallint, 'its own position has the second');

-- The levels in force when it was refused decide, not those of the settlement before it.
update app.rule_versions set position = 0 where version = 2;
select app.set_agent_levels(
  (
    select jsonb_agg(case when l ->> 'grade' = '1' then jsonb_set(l, '{tasks}', '{"direct_orders": 9}') else l end)
    from jsonb_array_elements(app.levels_json()) as l
  ),
  null, now() + interval '25 minutes'
);
select pg_temp.lower(a) from m;
select pg_temp.refuse_and_sell(1, now() + interval '30 minutes');
select is(pg_temp.simulated(), '3520 of 3520', 'a request that was refused under other settings raised nobody');

select * from finish();
rollback;
