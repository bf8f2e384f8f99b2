begin;
\ir ../../support/fixture.psql
select plan(9);

create temporary table o (name text, attempt_no text);
create function pg_temp.add(p_name text) returns void language sql as $$
  insert into o select p_name, (r.attempt).attempt_no
  from app.create_order(
    pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
    '2026-11-20 12:00+00'
  ) as n
  cross join lateral app.open_attempt(n.id, 'local', 'local', null, '2026-11-20 12:00+00') as r
$$;
select pg_temp.add(n) from unnest(array['early', 'late', 'unknown', 'paid']) as n;
create function pg_temp.record(
  p_name text, p_state text, p_accepted boolean default false, p_at timestamptz default '2026-11-20 12:10+00'
) returns text language sql as $$
  select concat_ws(' ', (r.attempt).state, (r.attempt).ended_at at time zone 'UTC', r.outcome)
  from o,
    app.record_attempt_state(
      o.attempt_no, p_state, case when p_state = 'paid' then 'ref of ' || p_name end,
      case when p_state = 'paid' then 3600 end, 'CNY', p_accepted, p_at
    ) as r
  where o.name = p_name
$$;

select is(pg_temp.record('early', 'open'), 'open', 'an attempt that is open at the provider stays open');
select is(pg_temp.record('early', 'open', true), 'open', 'it stays open even if the provider has accepted to close it');
select is(
  pg_temp.record('early', 'closed'), 'closed 2026-11-20 12:10:00', 'an attempt that is closed at the provider ends'
);
select is(
  pg_temp.record('early', 'closed', p_at => '2026-11-20 12:20+00'), 'closed 2026-11-20 12:10:00',
  'a repeated report does not change the end'
);
select is(
  pg_temp.record('late', 'closed', p_at => '2026-11-21 12:00+00'), 'closed 2026-11-20 12:30:00',
  'an attempt ends no later than it expires'
);
select is(
  pg_temp.record('unknown', 'unknown'), 'open',
  'an attempt that the provider does not know stays open, because the start may still arrive there'
);
select is(
  pg_temp.record('unknown', 'unknown', true), 'closed 2026-11-20 12:10:00',
  'it ends once the provider has accepted to close it'
);
select is(
  pg_temp.record('paid', 'paid'), 'paid 2026-11-20 12:10:00 paid',
  'a payment that a query has found pays like a notified one'
);
select results_eq(
  $$ select n.event_id, n.outcome from app.payment_notifications as n
  join o on o.attempt_no = n.order_no $$, $$ values (null, 'paid') $$,
  'a payment that a query has found is recorded without an event'
);

select * from finish();
rollback;
