-- Guarantee money/returns
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(13);

create temporary table a as select pg_temp.administrator() as id;
create temporary table m as select pg_temp.reporter() as referrer;
alter table m add buyer bigint;
update m set buyer = pg_temp.sign_up(referrer::text);
create temporary table o as select pg_temp.report(m.buyer) as id, pg_temp.report(m.buyer) as early,
  pg_temp.report(m.buyer) as refused
  from m;
create function pg_temp.receive(p_order_id bigint) returns text language sql as $$
  select pg_temp.call(a.id, 'receive_return', jsonb_build_object('p_order_id', p_order_id)) from a
$$;
create function pg_temp.money() returns text language sql as $$
  select string_agg(to_jsonb(b)::text, ' ' order by b.uid) || (select count(*) from app.user_bill)
  from app.user_balances as b
$$;
select
from app.set_settings(
  '{"return_address": {"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省"], "street": "Gate 4"}}', now()
);
select
from o, unnest(array[o.id, o.early, o.refused]) as x, app.deliver_order(x, now(), 'SF', 'SF1001' || x),
  app.request_refund(x, null, 'Too small', now());

select is(pg_temp.receive(id), 'PT409 refund_state_conflict', 'goods that nobody has asked for are not received')
from o;
create temporary table before as select pg_temp.money() as money;
select from o, unnest(array[o.id, o.early, o.refused]) as x, app.request_return(x, now());
select is(
  pg_temp.receive(id)::jsonb #>> '{goods_return,state}', 'received',
  'goods arrive, also without a parcel that the buyer has entered'
)
from o;
create temporary table r as select return_received_at as at from app.refunds, o where order_id = o.id;
select is(pg_temp.receive(id)::jsonb #>> '{goods_return,state}', 'received', 'a second time changes nothing') from o;
select results_eq(
  'select f.return_received_at from app.refunds as f, o where f.order_id = o.id', 'select at from r',
  'not even the time'
);
select is((select count(*) from app.events as e where e.type = 'refund.return_received'), 1::bigint, 'it is told once');
select
  is((select string_agg((x.from_value || jsonb_build_object('to', x.to_value))::text, ' ' order by x.id)
  from app.admin_actions as x where x.function = 'receive_return'),
  '{"to": {"return_state": "received"}, "return_state": "asked"} {"to": {}}', 'the action log says who received them');
select is(pg_temp.money(), money, 'no step has changed a balance or the bill') from before;
select results_eq(
  'select refund_status from app.orders as x, o where x.id = o.id', $$ values (1::smallint) $$,
  'the request still waits for its decision'
);

select is(
  pg_temp.call(a.id, 'refund_order', jsonb_build_object('p_order_id', o.id))::jsonb ->> 'state', 'refunded',
  'which refunds it'
)
from a, o;
select is(pg_temp.receive(id), 'PT404 refund_not_found', 'a decided request has nothing to receive') from o;
select is(
  pg_temp.call(a.id, 'refund_order', jsonb_build_object('p_order_id', o.early))::jsonb ->> 'state', 'refunded',
  'a request is refunded before its goods arrive, too'
)
from a, o;
select is(
  pg_temp.call(a.id, 'refuse_refund', jsonb_build_object('p_order_id', o.refused))::jsonb #>> '{goods_return,state}',
  'asked', 'or refused, and keeps how far they were'
)
from a, o;
update app.administrators as d set roles = '{content}' from a where d.auth_id = a.id;
select is(pg_temp.receive(refused), 'PT403 forbidden', 'a role without refunds may not receive') from o;

select * from finish();
rollback;
