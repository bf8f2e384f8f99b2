begin;
\ir ../../support/fixture.psql
select plan(7);

create function pg_temp.severity(p_check text) returns text language sql as $$ select v.severity
  from app.verify_money() as v where v.check_id = p_check $$;

select is(pg_temp.severity('two_people_decide'), 'warning', 'nobody may decide about money');
create temporary table a as select pg_temp.administrator() as one;
select is(pg_temp.severity('two_people_decide'), 'hint', 'one person alone is a hint: there may be nobody else');
alter table a add two uuid;
update a set two = pg_temp.administrator();
update app.administrators as d set roles = '{service, content}' from a where d.auth_id = a.two;
select is(pg_temp.severity('two_people_decide'), 'hint', 'a role without the area money does not count');
update app.administrators as d set roles = '{finance}' from a where d.auth_id = a.two;
select is(pg_temp.severity('two_people_decide'), 'ok', 'an owner and one of finance are two people');

select is(
  pg_temp.severity('commission_is_held_for_refunds'), 'ok',
  'a new store holds commission until the refund window has ended'
);
update app.settings set refund_window_days = 8;
select is(
  pg_temp.severity('commission_is_held_for_refunds'), 'warning',
  'commission can be withdrawn before the refund window ends'
);
select from app.create_plan('{"holding_days": 8}', null, now());
select is(
  pg_temp.severity('commission_is_held_for_refunds'), 'ok', 'commission is held for as long as orders are refunded'
);

select * from finish();
rollback;
