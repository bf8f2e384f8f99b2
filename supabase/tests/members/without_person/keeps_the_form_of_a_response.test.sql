begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create temporary table o as select pg_temp.buy(m.uid) as id from m;
create function pg_temp.without(p_response jsonb) returns jsonb language sql as $$ select app.without_person(p_response,
  m.uid)
  from m $$;

select is(
  pg_temp.without(
    jsonb_build_object(
      'uid', uid, 'nickname', 'Chen', 'account', 'ICBC 622****0128', 'reason', 'Chen is not the holder', 'amount',
      '10.00'
    )
  ),
  jsonb_build_object('uid', uid, 'nickname', '已注销 · Deleted member', 'account', '', 'reason', '', 'amount', '10.00'),
  'a withdrawal loses name, account and reason'
) from m;
select is(
  pg_temp.without(
    jsonb_build_object(
      'uid', uid, 'state', 'checked', 'name', '陈**', 'number', '1****************X', 'decided_by', null
    )
  ),
  jsonb_build_object('uid', uid, 'state', 'checked', 'name', '', 'number', '', 'decided_by', null),
  'a real name loses its masks'
) from m;
select is(
  pg_temp.without(jsonb_build_object('uid', uid, 'reason', null)), jsonb_build_object('uid', uid, 'reason', null),
  'a reason that was not given stays null'
)
from m;
select is(
  pg_temp.without(jsonb_build_object('uid', uid, 'address', '{"name": "Chen"}'::jsonb, 'remark', 'Ring')),
  jsonb_build_object('uid', uid, 'address', null, 'remark', ''),
  'an order loses address and remark'
) from m;
select is(
  pg_temp.without(jsonb_build_object('order_id', o.id, 'reason', 'I, Chen')),
  jsonb_build_object('order_id', o.id, 'reason', ''), 'a refund of their order loses its reason'
) from o;
select is(r.response, pg_temp.without(r.response), 'a response about another member stays the same')
from m
cross join lateral (
  select jsonb_build_object('uid', m.other, 'nickname', 'Lin', 'reason', 'Lin', 'address', 'Road') as response
) as r;
select is(
  pg_temp.without(
    jsonb_build_object(
      'uid', other, 'nickname', 'Lin', 'created_by', jsonb_build_object('auth_id', 'a', 'uid', uid, 'nickname', 'Chen')
    )
  ),
  jsonb_build_object(
    'uid', other, 'nickname', 'Lin', 'created_by', '{"auth_id": "a", "uid": null, "nickname": null}'::jsonb
  ),
  'who made it loses the name'
) from m;

select * from finish();
rollback;
