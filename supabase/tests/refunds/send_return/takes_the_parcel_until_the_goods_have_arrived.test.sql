begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(15);

create temporary table o as select pg_temp.buy(m.buyer) as id, m.buyer, pg_temp.sign_up() as other
  from (select pg_temp.sign_up() as buyer) as m;
create function pg_temp.send(p_uid bigint, p_carrier text, p_number text) returns text language sql as $$
  select pg_temp.call(
    u.auth_id, 'send_return', jsonb_build_object('p_order_id', o.id, 'p_carrier', p_carrier, 'p_tracking_no', p_number),
    'authenticated'
  )
  from app.users as u, o where u.uid = p_uid
$$;
select
from app.set_settings(
  '{"return_address": {"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省"], "street": "Gate 4"}}', now()
);
select from o, app.deliver_order(o.id, now(), 'SF', 'SF1001');

select is(
  pg_temp.send(buyer, 'SF', 'R1'), 'PT404 refund_not_found', 'an order without a request takes no return parcel'
)
from o;
select from o, app.request_refund(o.id, null, 'Too small', now());
select is(
  pg_temp.send(buyer, 'SF', 'R1'), 'PT409 refund_state_conflict', 'nor does a request whose goods nobody has asked for'
)
from o;
select from o, app.request_return(o.id, now());
select is(pg_temp.send(other, 'SF', 'R1'), 'PT404 order_not_found', 'another member cannot enter it') from o;

select is(
  (
    select r - '{address,asked_at,sent_at}'::text[]
    from o, jsonb_extract_path(pg_temp.send(o.buyer, '顺丰', 'R1')::jsonb, 'goods_return') as r
  ),
  '{"state": "sent", "carrier": "顺丰", "carrier_code": "SF", "carrier_name": "SF Express", "carrier_name_zh": "顺丰速运", "tracking_no": "R1",
    "tracking_url": "https://www.kuaidi100.com/chaxun?com=shunfeng&nu=R1", "received_at": null}'::jsonb, 'the parcel is on the page of its carrier'
);
update app.refunds set return_sent_at = '2026-01-02' where return_sent_at is not null;
select is(
  pg_temp.send(buyer, 'Pony Post', 'R2')::jsonb #> '{goods_return,tracking_url}', 'null',
  'it is corrected, also to a carrier that the list does not have'
)
from o;
select results_eq('select return_carrier, return_carrier_code, return_tracking_no, return_sent_at from app.refunds',
  $$ values ('Pony Post', null, 'R2', '2026-01-02'::timestamptz) $$,
  'the first time stays');
select is(
  pg_temp.send(buyer, 'Pony Post', 'R2')::jsonb #>> '{goods_return,tracking_no}', 'R2',
  'the same parcel changes nothing'
)
from o;
select is((select count(*) from app.events as e where e.type = 'refund.return_sent'), 1::bigint, 'it is told once');

select is(pg_temp.send(buyer, c.carrier, c.number), 'PT422 invalid_argument', format('%s: rejected', c.name))
from o,
  (values ('an empty number', 'SF', ''), ('a number of two lines', 'SF', E'R\n1'),
    ('a number that is too long', 'SF', repeat('1', 65)),
  ('a missing carrier', null, 'R1'), ('a carrier that is too long', repeat('x', 65), 'R1')) as c (name, carrier,
  number);

select from o, app.receive_return(o.id, now());
select is(
  pg_temp.send(buyer, 'SF', 'R3'), 'PT409 refund_state_conflict',
  'when the goods have arrived, their parcel no longer changes'
)
from o;
select is((select return_tracking_no from app.refunds), 'R2', 'and stays what it was');

select * from finish();
rollback;
