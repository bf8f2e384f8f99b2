begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(8);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table admins as select pg_temp.administrator() as maker, pg_temp.administrator() as second;
create function pg_temp.waiting(p_frozen numeric) returns bigint language sql as $$
  select (app.create_adjustment(m.uid, null, p_frozen, null, 'Test', a.maker, now())).id from m, admins as a
$$;
create function pg_temp.decide(p_function text, p_id bigint) returns text language sql as $$
  select coalesce(r.text::jsonb ->> 'state', r.text) from admins as a cross join lateral (
    select case when c like 'PT%' then to_jsonb(c)::text else c end as text, c
    from pg_temp.call(a.second, p_function, jsonb_build_object('p_id', p_id)) as c
  ) as r
$$;
create temporary table w as select pg_temp.waiting(5000) as refused, pg_temp.waiting(3000) as booked;

select is(
  (select pg_temp.decide('refuse_adjustment', w.refused) from w), 'refused',
  'the second administrator refuses an adjustment'
);
select is((select pg_temp.decide('refuse_adjustment', w.refused) from w), 'refused', 'refusing it again is a no-op');
select is(
  (select pg_temp.decide('approve_adjustment', w.refused) from w), '"PT409 adjustment_state_conflict"',
  'an adjustment that was refused cannot be approved'
);
select is_empty(
  'select b.* from app.user_bill as b, w where b.adjustment_id = w.refused', 'a refused adjustment has no bill row'
);
select is((select pg_temp.decide('approve_adjustment', w.booked) from w), 'booked', 'another adjustment is approved');

-- Two adjustments take the same points; each was possible when it was made.
create temporary table t as select pg_temp.waiting(-2000) as one, pg_temp.waiting(-2000) as two;
select results_eq(
  $$ select pg_temp.decide('approve_adjustment', t.one), pg_temp.decide('approve_adjustment', t.two) from t $$,
  $$ values ('booked', '"PT409 adjustment_state_conflict"') $$, 'an approval never makes frozen points negative'
);
select is(
  (select pg_temp.decide('refuse_adjustment', t.two) from t), 'refused', 'what can no longer be booked can be refused'
);
select is(
  (select pg_temp.call(a.second, 'approve_adjustment', '{"p_id": 900000000000001}') from admins as a),
  'PT404 adjustment_not_found', 'an adjustment that does not exist cannot be approved'
);

select * from finish();
rollback;
