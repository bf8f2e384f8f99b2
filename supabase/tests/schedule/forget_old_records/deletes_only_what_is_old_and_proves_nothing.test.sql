begin;
\ir ../../support/fixture.psql
select plan(15);

create temporary table m as select pg_temp.reporter() as uid;
create function pg_temp.order(p_days integer, p_expired boolean default true) returns bigint language plpgsql as $$
declare
  v_id bigint := (
    app.create_order(
      (select uid from m),
      (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)) from goods as g), now()
    )
  ).id;
begin
  update app.orders set state = 'cancelled', is_expired = p_expired,
    cancelled_at = now() - make_interval(days => p_days)
  where id = v_id;
  return v_id;
end
$$;
create function pg_temp.attempt_of(p_order_id bigint, p_state text, p_days integer) returns void language sql as $$
  with a as (
    insert into app.payment_attempts (
      order_id, attempt_no, provider, method, amount, state, pay_ref, expires_at, add_time, ended_at
    )
    select p_order_id, o.order_no || '-1', 'local', 'local', o.pay_price, p_state,
      case p_state when 'paid' then 'ref-' || o.id end,
      now() - make_interval(days => p_days - 1), now() - make_interval(days => p_days + 1),
      case when p_state <> 'open' then now() - make_interval(days => p_days) end
    from app.orders as o where o.id = p_order_id returning id
  )
  insert into app.payment_payers (attempt_id, openid) select id, 'payer' from a
$$;
create function pg_temp.notify(p_order_id bigint, p_outcome text, p_days integer) returns void language sql as $$
  insert into app.payment_notifications (provider, order_id, pay_ref, amount, currency, outcome, reason, add_time)
  values (
    'local', p_order_id, 'ref', 1, 'CNY', p_outcome, case when p_outcome not in ('paid', 'repeated') then 'why' end,
    now() - make_interval(days => p_days)
  )
$$;

create temporary table o as
select n.name, pg_temp.order(n.days, n.expired) as id
from (values ('old', 181, true), ('young', 179, true), ('cancelled by a person', 181, false),
  ('closed attempt', 181, true), ('paid too late', 181, true), ('open attempt', 181, true),
  ('refused notification', 181, true), ('took points', 181, true)) as n (name, days, expired);
insert into o select 'paid', pg_temp.buy((select uid from m));
create function pg_temp.o(p_name text) returns bigint language sql as $$ select o.id from o where o.name = p_name $$;
select pg_temp.attempt_of(pg_temp.o('closed attempt'), 'closed', 181),
  pg_temp.attempt_of(pg_temp.o('paid too late'), 'paid', 181),
  pg_temp.attempt_of(pg_temp.o('open attempt'), 'open', 181),
  pg_temp.attempt_of(pg_temp.o('paid'), 'refused', 181), pg_temp.attempt_of(pg_temp.o('young'), 'closed', 179);
select pg_temp.notify(pg_temp.o('refused notification'), 'refused', 181),
  pg_temp.notify(pg_temp.o('closed attempt'), 'ignored', 181);
update app.orders set points_spent = 1, paid_by_points = 0.01, pay_price = pay_price - 0.01
where id = pg_temp.o('took points');

delete from app.reconcile_runs;
insert into app.reconcile_runs (started_at, finished_at, findings, carried_until) values
  (now() - interval '91 days', now() - interval '91 days', 0, null),
    (now() - interval '91 days', now() - interval '91 days', 1, null),
  (now() - interval '91 days', now() - interval '91 days', 0, '2020-01-01'),
  (now() - interval '89 days', now() - interval '89 days', 0, null);
select pg_temp.notify(pg_temp.o('paid'), n.outcome, n.days)
from (
  values ('paid', 91), ('repeated', 91), ('repeated', 89), ('refund', 91), ('refused', 91), ('attention', 91),
  ('ignored', 91)
) as n (outcome, days);
select app.record_unverified('other', 'signature_wrong', now() - interval '91 days');
insert into app.posters (uid, token, fingerprint, share_url, code_source, code, image, made_at) select uid,
  gen_random_uuid(), '', '', 'x', '\x01', '\x02', now() - interval '31 days'
from m;
insert into app.posters (uid, token, fingerprint, share_url, image, made_at) select pg_temp.sign_up(),
  gen_random_uuid(), '', '', '\x02', now() - interval '29 days';

select app.write_event('order.shipped', n, null, '{}', now() - make_interval(days => n))
from unnest(array[89, 91]) as n;

insert into app.read_notices (uid, era, xid, id, add_time) select uid, 1, '1', n, now() - make_interval(days => n)
from m, unnest(array[89, 91]) as n;
insert into app.outbox (kind, key, run_after, state, created_at) values (
  'member_mail', 'old', now(), 'failed', now() - interval '91 days'
),
  ('member_mail', 'young', now(), 'failed', now() - interval '89 days'),
  ('member_mail', 'waiting', now(), 'waiting', now() - interval '91 days'),
  ('transfer', 'call', now(), 'failed', now() - interval '91 days');

-- What the rows above lack to be whole, such as a row of the outbox.
create temporary table before as select * from app.reconcile();
select is(app.forget_old_records(now(), 1), true, 'a full batch says that more may be left');
select is(
  (
    select array_agg(f.again) from (select app.forget_old_records(now(), 1) as again from generate_series(1, 8)) as f
  ) @> array[false],
  true, 'the batches come to an end'
);
select is(app.forget_old_records(now(), 1000), false, 'then nothing is left to delete');

select set_eq('select name from o where not exists (select from app.orders as x where x.id = o.id)',
  array['old', 'closed attempt'],
  'orders that expired long ago are deleted, unless points, a payment or a refused notification is known');
select set_eq(
  $$ select subject_id from app.events
  where type = 'order.shipped' $$, array[89::bigint], 'events are deleted after 90 days'
);
select set_eq('select id from app.read_notices', array[89::bigint], 'and the marks of notices that were read');
select set_eq(
  'select key from app.outbox where state = ''failed'' or lane = ''messages''', '{young, waiting, call}'::text[],
  'and messages that failed, which no call does'
);
select is_empty(
  'select from app.order_lines as l where not exists (select from app.orders as x where x.id = l.order_id)',
  'and their lines'
);
select set_eq(
  'select o.name || '' '' || a.state from app.payment_attempts as a join o on o.id = a.order_id',
  array['paid too late paid', 'open attempt open', 'young closed'],
  'attempts that took money, may take it or ended lately stay'
);
select is((select count(*) from app.payment_payers where openid = 'payer'), 3::bigint, 'with their payers');
select set_eq($$ select outcome || extract(day from now() - add_time) from app.payment_notifications
  where order_id = pg_temp.o('paid') or provider = 'other' $$,
  array['paid91', 'repeated89', 'refund91', 'refused91', 'attention91'],
  'of notifications, only those that changed nothing are deleted');
select set_eq(
  'select findings, carried_until::date from app.reconcile_runs', $$ values (1, null::date), (0, '2020-01-01'),
  (0, null) $$, 'reconciliations that found something or carry months stay'
);
select results_eq(
  'select image is null, code is not null from app.posters order by made_at', $$ values (true, true), (false, false) $$,
  'pictures are drawn again after 30 days, codes are kept'
);
select set_eq('select * from app.reconcile()', 'select * from before', 'the books are as before');
select throws_ok(
  $$ delete from app.payment_notifications
  where outcome = 'paid' $$, '23001', null, 'a notification that proves a payment cannot be deleted'
);

select * from finish();
rollback;
