begin;
\ir ../../support/fixture.psql
select plan(12);

create temporary table o as
select n.*
from app.create_order(
  pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
  '2026-11-20 12:00+00'
) as n;
create function pg_temp.open(
  p_method text, p_openid text, p_at timestamptz default '2026-11-20 12:00+00', p_provider text default 'wechat'
) returns text language sql as $$
  select (r.attempt).attempt_no || case when r.must_close then ', to be closed first' else '' end
  from app.open_attempt((select id from o), p_provider, p_method, p_openid, p_at) as r
$$;
create function pg_temp.numbered(p_number integer) returns text language sql as $$ select order_no || '-' || p_number
  from o $$;

select is(pg_temp.open('jsapi', 'payer-1'), pg_temp.numbered(1), 'the first attempt has the number of the order and 1');
select is(
  (select char_length(attempt_no) <= 32 from app.payment_attempts), true, 'the number has at most 32 characters'
);
select is(
  pg_temp.open('jsapi', 'payer-1', '2026-11-20 12:28+00'), pg_temp.numbered(1),
  'the same values continue the open attempt'
);
select is(
  pg_temp.open('jsapi', 'payer-2'), pg_temp.numbered(1) || ', to be closed first',
  'another payer requires a new attempt'
);
select is(
  pg_temp.open('h5', null), pg_temp.numbered(1) || ', to be closed first', 'another method requires a new attempt'
);
select is(
  pg_temp.open('jsapi', 'payer-1', '2026-11-20 12:29:30+00'), pg_temp.numbered(1) || ', to be closed first',
  'an attempt that is about to expire is not continued'
);
select is(
  pg_temp.open('local', null, p_provider => 'local'), pg_temp.numbered(2), 'each provider may have one open attempt'
);
select is((select count(*)::integer from app.payment_attempts where state = 'open'), 2, 'there are no other attempts');
select results_eq(
  $$ select kind, key, run_after from app.outbox order by id $$,
  $$ values
    ('query_payment', pg_temp.numbered(1), timestamptz '2026-11-20 12:01+00'),
      ('close_payment', pg_temp.numbered(1), '2026-11-20 12:30+00'),
    ('query_payment', pg_temp.numbered(2), '2026-11-20 12:01+00'),
    ('close_payment', pg_temp.numbered(2), '2026-11-20 12:30+00') $$,
  'the outbox asks about each attempt after a minute and closes it when it expires'
);
select app.end_attempt(pg_temp.numbered(1), 'closed', null, '2026-11-20 12:10+00');
select is(
  pg_temp.open('h5', null), pg_temp.numbered(3),
  'after the provider has closed the attempt, other values get a new number'
);
select results_eq(
  $$ select openid from app.payment_payers $$, $$ values ('payer-1') $$, 'the payer is stored in a table of its own'
);
select is(
  (select string_agg(distinct key, ' ' order by key) from app.outbox),
  pg_temp.numbered(2) || ' ' || pg_temp.numbered(3), 'the outbox has no call for a closed attempt'
);

select * from finish();
rollback;
