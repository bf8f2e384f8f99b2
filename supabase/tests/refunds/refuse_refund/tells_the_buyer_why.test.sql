begin;
\ir ../../support/fixture.psql
select plan(15);
grant store_api to postgres;

create temporary table a as select pg_temp.administrator() as id;
create temporary table m as select n.name, pg_temp.sign_up() as uid
  from (values ('told'), ('not told'), ('blank')) as n (name);
create temporary table o as select name, uid, pg_temp.buy(uid) as id from m;
select app.request_refund(id, null, 'too late', now()) from o;
create function pg_temp.refuse(p_name text, p_args jsonb default '{}') returns text language sql as $$
  select pg_temp.call(a.id, 'refuse_refund', jsonb_build_object('p_order_id', o.id) || p_args) from a, o
  where o.name = p_name
$$;
-- What the buyer reads of the refund: its state, their reason and that of the store.
create function pg_temp.reads(p_name text) returns text language sql as $$
  select concat_ws(', ', r ->> 'state', r ->> 'reason', r ->> 'refusal_reason')
  from o
  cross join lateral jsonb_array_elements(
    pg_temp.read(o.uid, 'get_refunds', jsonb_build_object('p_order_id', o.id)) -> 'list'
  ) as r
  where o.name = p_name
$$;
select is(pg_temp.reads('told'), 'requested, too late, ', 'an open request has no such reason');
select is(
  pg_temp.refuse('told', jsonb_build_object('p_reason', repeat('x', 501))), 'PT422 invalid_argument',
  'a reason has at most 500 characters'
);
select is(
  pg_temp.refuse('told', jsonb_build_object('p_reason', E'a\u0007b')), 'PT422 invalid_argument',
  'and no control characters'
);
select is(
  (
    pg_temp.refuse(
      'told', jsonb_build_object('p_reason', E'It was worn.\nSee the picture.')
    )::jsonb ->> 'refusal_reason'
  ),
  E'It was worn.\nSee the picture.', 'the answer has the reason, of several lines'
);
select is(
  pg_temp.reads('told'), E'refused, too late, It was worn.\nSee the picture.', 'the buyer reads it beside their own'
);
select is(
  pg_temp.refuse('told', '{"p_reason": "It was worn."}'), 'PT404 refund_not_found', 'a request is refused once'
);
select is((pg_temp.refuse('not told')::jsonb ->> 'refusal_reason'), '', 'who gives no reason refuses, too');
select is(pg_temp.reads('not told'), 'refused, too late, ', 'and the buyer reads none');
select is((pg_temp.refuse('blank', '{"p_reason": null}')::jsonb ->> 'refusal_reason'), '', 'null is none');

select results_eq(
  $$ select o.name, e.payload ->> 'has_reason' from app.events as e join o on o.id = e.subject_id
  where e.type = 'refund.refused' order by o.name $$,
  $$ values ('blank', null), ('not told', null), ('told', 'true') $$,
  'the event says that there is a reason, which is a text and stays out of it'
);
select results_eq(
  $$ select o.name, c.to_value ->> 'refusal_reason', c.to_value -> 'refund_id' = to_jsonb(r.id),
  c.to_value ->> 'requests'
     from app.admin_actions as c join o on o.id::text = c.target_id join app.refunds as r on r.order_id = o.id
     where c.function = 'refuse_refund' order by o.name $$,
  $$ values ('blank', null, true, '0'), ('not told', null, true, '0'), ('told', 'changed', true, '0') $$,
  'the action log says that one was given'
);
select is(
  (
    select (app.withhold(app.refund_json(r), app.personal_fields('admin_get_order')) ->> 'refusal_reason')
    from app.refunds as r join o on o.id = r.order_id where o.name = 'told'
  ),
  'withheld', 'assistants do not read it'
);

create temporary table g as select r.id from app.refunds as r join o on o.id = r.order_id where o.name = 'told';
select throws_ok(
  $$ update app.refunds as r set state = 'taken_back' from g
  where r.id = g.id $$, '23514', null, 'only a refused request has a reason of the store'
);
delete from auth.users as u using app.users as x, m where u.id = x.auth_id and x.uid = m.uid and m.name = 'told';
select is(
  (select concat_ws('/', r.state, r.reason, r.refusal_reason) from app.refunds as r join g using (id)), 'refused//',
  'it goes with the account, as the reason of the request does'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
