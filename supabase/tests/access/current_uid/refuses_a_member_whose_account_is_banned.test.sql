-- Guarantee privacy/banned: A member whose account is banned changes nothing more, whatever tokens are valid
-- By: app.current_uid, which app.call_api asks after every write
begin;
\ir ../../support/fixture.psql
select plan(34);

grant store_api to postgres;
create temporary table person as select pg_temp.sign_up() as uid;
create temporary table member as
select u.uid, u.auth_id,
  (
    app.create_order(u.uid, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)), now())
  ).id as unpaid,
  pg_temp.buy(u.uid) as paid
from person as p join app.users as u on u.uid = p.uid cross join goods as g;

-- Calls as a member does, and undoes it.
create function pg_temp.answer(p_function text, p_args jsonb) returns text language plpgsql as $$
begin
  perform app.as_caller(jsonb_build_object('role', 'authenticated', 'sub', m.auth_id), p_function, p_args)
  from member as m;
  raise exception using errcode = 'UN000';
exception when sqlstate 'UN000' then
  return 'done';
when others then
  return sqlerrm;
end
$$;
create temporary table calls as
select c.function, coalesce(c.args, '{}')::jsonb as args
from member as m cross join goods as g cross join lateral (values
  ('get_me', null), ('get_orders', null), ('set_me', '{"p_nickname": "Lin"}'), ('upload_avatar', null),
    ('cancel_deletion', null),
  (
    'create_order',
    jsonb_build_object('p_items', jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)))::text
  ),
  (
    'create_address',
    '{"p_address": {"name": "Lin", "phone": "13800000000", "region": ["Guangdong"], "street": "Road 1"}}'
  ),
  ('cancel_order', jsonb_build_object('p_order_id', m.unpaid)::text),
  ('get_payment', jsonb_build_object('p_order_id', m.unpaid)::text),
  ('request_refund', jsonb_build_object('p_order_id', m.paid)::text), ('create_person_request', '{"p_kind": "copy"}')
) as c (function, args);

select is((select count(*)::integer from calls), 11, 'there are calls to try');
select is(pg_temp.answer(c.function, c.args), 'done', format('%s works', c.function)) from calls as c;
update auth.users as a set banned_until = now() + interval '1 hour' from member as m where a.id = m.auth_id;
select is(
  pg_temp.answer(c.function, c.args), 'forbidden', format('%s does not while the account is banned', c.function)
)
from calls as c;
update auth.users as a set banned_until = now() - interval '1 second' from member as m where a.id = m.auth_id;
select is(pg_temp.answer(c.function, c.args), 'done', format('%s works when the ban has ended', c.function))
from calls as c;

select * from finish();
rollback;
