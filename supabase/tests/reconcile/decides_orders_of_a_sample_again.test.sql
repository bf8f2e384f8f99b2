-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(3);

-- An order that pays commission, as its bill states it.
create temporary table m as select pg_temp.reporter() as uid;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select uid::text from m))) as id;
create function pg_temp.found_by(p_size integer) returns boolean language plpgsql as $$
begin
  execute format(
    'create or replace function app.sample_size() returns integer language sql immutable parallel safe as %L',
    'select ' || p_size
  );
  return exists (
    select from app.reconcile() as r
    where r.check_name = 'decision_equals_what_was_booked' and r.subject like format('order %s,%%', (select id from o))
  );
end $$;

select is(pg_temp.found_by(1000000), false, 'the order is decided as it was');
update app.user_bill set agent_level = 1 where source = 'direct' and order_id = (select id from o);
update app.settlements set base = base - 0.01 where order_id = (select id from o);
select is(
  pg_temp.found_by(1000000), true, 'reconcile() decides orders again, and finds the one whose booked result differs'
);
select is(pg_temp.found_by(0), false, 'which only the sample does');

select * from finish();
rollback;
