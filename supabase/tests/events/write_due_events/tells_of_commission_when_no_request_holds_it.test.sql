-- Guarantee money/withdrawal-matured: The event that commission has matured is written once for each order, when the
-- commission can be withdrawn
-- By: app.announce_maturities
begin;
\ir ../../support/fixture.psql
\ir ../../support/events.psql
select plan(10);

update app.settings set refund_window_days = 30;

create temporary table m as select pg_temp.reporter() as a;
alter table m add b bigint;
update m set b = pg_temp.sign_up(a::text);
create temporary table o as select pg_temp.report(b) as id, pg_temp.report(b) as told, pg_temp.report(b) as taken
  from m;
select app.confirm_receipt(id, now()), app.confirm_receipt(told, now()), app.confirm_receipt(taken, now()) from o;
select count(*) from pg_temp.told();
create function pg_temp.told_of(p_order_id bigint) returns text language sql as $$
  select string_agg(regexp_replace(t.line, ' order \d+ for \d+| by refund \d+| by job', '', 'g'), ', ')
  from pg_temp.told() as t (line)
  where t.line like 'commission.%' and t.line like format('%% order %s %%', p_order_id)
$$;

select from o, app.request_refund(id, null, '', now() + interval '5 days');
select is(
  pg_temp.told_of(id), 'commission.held {"amount": "720.00"}',
  'a request for queue goods tells whose commission it holds'
)
from o;
select is(app.announce_maturities(now() + interval '9 days', 10), 2, 'what is held is not looked at when it matures');
select is(pg_temp.told_of(id), null, 'and not told') from o;
select from o, app.refuse_refund(id, now() + interval '9 days');
select is(pg_temp.told_of(id), 'commission.released {"amount": "720.00"}', 'the refusal releases it') from o;
select is(app.announce_maturities(now() + interval '9 days', 10), 1, 'then it is looked at');
select is(pg_temp.told_of(id), 'commission.matured {"amount": "720.00"}', 'and told, as it can be withdrawn') from o;
select
from o, app.request_refund(told, null, '', now() + interval '10 days'),
  app.refuse_refund(told, now() + interval '11 days');
select is(
  pg_temp.told_of(told), 'commission.held {"amount": "1080.00"}, commission.released {"amount": "1080.00"}',
  'what was told before is held and released'
)
from o;
select is(app.announce_maturities(now() + interval '12 days', 10), 0, 'but has matured once');
select
from o, app.request_refund(taken, null, '', now() + interval '13 days'),
  app.refund_order(taken, null, null, now() + interval '13 days');
select is(
  pg_temp.told_of(taken), 'commission.held {"amount": "1800.00"}, commission.reversed {"amount": "1800.00"}',
  'a refund that takes all releases nothing'
)
from o;
select is((select count(*) from app.events where type = 'commission.held'), 3::bigint, 'one for each request');

select * from finish();
rollback;
