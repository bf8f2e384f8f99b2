-- Guarantee money/payment-found
begin;
\ir ../../support/fixture.psql
select plan(14);

update app.settings set payment_query_minutes = '{1, 5, 10, 40}', payment_minutes = 30;
create temporary table o (name text, attempt_no text);
create function pg_temp.add(p_name text, p_at timestamptz default '2026-11-20 12:00+00') returns void language sql as $$
  insert into o select p_name, (r.attempt).attempt_no
  from app.create_order(
    pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
    p_at
  ) as n
  cross join lateral app.open_attempt(n.id, 'local', 'local', null, p_at) as r
$$;
create function pg_temp.record(p_name text, p_state text, p_at timestamptz) returns void language sql as $$
  select
  from o,
    app.record_attempt_state(
      o.attempt_no, p_state, case when p_state = 'paid' then 'ref of ' || p_name end,
      case when p_state = 'paid' then 3600 end, 'CNY', false, p_at
    )
  where o.name = p_name
$$;
create function pg_temp.due(p_name text) returns text language sql as $$
  select string_agg(to_char(q.run_after at time zone 'UTC', 'HH24:MI'), ' ' order by q.id) from app.outbox as q
  join o on o.attempt_no = q.key where q.kind = 'query_payment' and o.name = p_name
$$;
select pg_temp.add(n)
from unnest(array['never paid', 'not known', 'asked about', 'leased', 'failing', 'paid', 'closed']) as n;

select is(pg_temp.due('never paid'), '12:01', 'the first call is due a minute after the attempt was opened');
select pg_temp.record('never paid', 'open', '2026-11-20 12:01+00');
select is(pg_temp.due('never paid'), '12:05', 'the second one five minutes after it');
select pg_temp.record('never paid', 'open', '2026-11-20 12:06+00');
select is(pg_temp.due('never paid'), '12:10', 'the third one ten minutes after it');
select pg_temp.record('never paid', 'open', '2026-11-20 12:10:30+00');
select is(
  pg_temp.due('never paid'), null, 'there is none after the attempt expires, when the provider is asked to close it'
);
select is(
  (select state from app.payment_attempts join o using (attempt_no) where name = 'never paid'), 'open',
  'the attempt is open until then'
);

select pg_temp.record('not known', 'unknown', '2026-11-20 12:01+00');
select is(pg_temp.due('not known'), '12:05', 'an attempt that the provider does not know is asked about again');
select pg_temp.record('asked about', 'open', '2026-11-20 12:00:30+00');
select is(pg_temp.due('asked about'), '12:01', 'an answer before the first time leaves it as it is');
select pg_temp.record('asked about', 'open', '2026-11-20 12:05:30+00');
select is(pg_temp.due('asked about'), '12:10', 'an answer that somebody else got stands for the call of that time');

create temporary table lease as select l.* from app.lease_outbox(100, '2026-11-20 12:01+00') as l
  join o on o.attempt_no = l.key where l.kind = 'query_payment' and o.name = 'leased';
select pg_temp.record('leased', 'open', '2026-11-20 12:01:02+00');
select app.postpone_outbox(id, attempts, null, '2026-11-20 12:01:03+00') from lease;
select is(pg_temp.due('leased'), '12:05', 'the answer to a leased call decides when the next one is due');
select is(
  (
    select q.attempts from app.outbox as q join o on o.attempt_no = q.key
    where q.kind = 'query_payment' and o.name = 'leased'
  ),
  0::smallint, 'the next call begins without the attempts of the one before'
);
update app.outbox as q set state = 'failed', attempts = 20, last_problem = 'no response' from o
where o.attempt_no = q.key and q.kind = 'query_payment' and o.name = 'failing';
select pg_temp.record('failing', 'open', '2026-11-20 12:02+00');
select is(
  (
    select concat_ws(' ', q.state, q.attempts, q.last_problem) from app.outbox as q join o on o.attempt_no = q.key
    where q.kind = 'query_payment' and o.name = 'failing'
  ),
  'waiting 0', 'nor with its problem'
);

select pg_temp.record('paid', 'paid', '2026-11-20 12:01+00');
select is(pg_temp.due('paid'), null, 'a paid attempt is not asked about');
select pg_temp.record('closed', 'closed', '2026-11-20 12:01+00');
select is(pg_temp.due('closed'), null, 'nor is a closed one');

update app.settings set payment_query_minutes = '{}';
select pg_temp.add('unasked');
select is(pg_temp.due('unasked'), null, 'without times, nobody asks');

select * from finish();
rollback;
