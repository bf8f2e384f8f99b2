begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(14);

update app.settings set withdrawal_limit = 150;
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 5) as n;
select from m, pg_temp.earn(m.uid);
-- The first is the administrator's own, the second is refused, the third is above the limit, the last two are within
-- it.
create temporary table w as
select m.n, pg_temp.withdraw(m.uid, case when m.n = 3 then 151 else 60 + m.n end) as id from m;
create temporary table a as select app.add_administrator(u.auth_id::text) as id from app.users as u join m using (uid)
  where m.n = 1;
select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'refused', now(), 'No') where w.n = 2;
create function pg_temp.approve_all(p_which integer[]) returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    (select a.id from a), 'approve_withdrawals',
    (
      select jsonb_build_object('p_ids', jsonb_agg(coalesce(w.id, 900000000000001) order by n desc))
      from unnest(p_which) as n left join w using (n)
    )
  );
begin
  return case when v_answer like '{%' then (
    select string_agg(
      concat_ws(' ', w.n, coalesce(l ->> 'problem', l ->> 'result')), ', ' order by (l ->> 'id')::bigint
    )
    from jsonb_array_elements(v_answer::jsonb -> 'lines') as l left join w on w.id = (l ->> 'id')::bigint
  ) else v_answer end;
end
$$;

select is(
  pg_temp.approve_all('{1, 2, 3, 4, 6}'),
  '1 own_account, 2 withdrawal_state_conflict, 3 second_administrator_needed, 4 approved, withdrawal_not_found',
  'what cannot be approved stops no other'
);
select results_eq(
  'select w.n, l.state from w join app.withdrawals as l using (id) order by 1', $$ values (1, 'requested'),
  (2, 'refused'), (3, 'requested'), (4, 'approved'), (5, 'requested') $$, 'only the one is approved'
);
select is(
  (select l.approved_by from w join app.withdrawals as l using (id) where w.n = 3), null,
  'what is above the limit has no half approval that nobody can complete'
);
select results_eq(
  $$ select w.n, x.from_value, x.to_value from app.admin_actions as x join w on w.id::text = x.target_id
  where x.function = 'approve_withdrawals' $$,
  $$ values (4, '{"state": "requested"}'::jsonb, '{"state": "approved"}'::jsonb) $$,
  'the log has what was approved, and nothing else'
);
select is(
  (select d.money from app.decided_alone as d), 64.00, 'the sum of the day has what was approved, and nothing else'
);
select set_eq(
  $$ select e.subject_id from app.events as e
  where e.type = 'withdrawal.approved' $$, 'select id from w where n = 4', 'what was approved is told'
);
select is(pg_temp.approve_all('{4, 5}'), '4 approved, 5 approved', 'what is approved already stays so');
select is((select d.money from app.decided_alone as d), 129.00, 'and is summed once');
select is(
  pg_temp.approve_all('{1, 3}'), 'PT409 second_administrator_needed',
  'if none can be approved, the error of the last is raised'
);
select is(pg_temp.approve_all('{1}'), 'PT403 own_account', 'an administrator cannot approve their own');
select is(
  (select l.state from w join app.withdrawals as l using (id) where w.n = 1), 'requested',
  'it waits for another administrator'
);
select from pg_temp.administrator();
select is(pg_temp.approve_all('{3, 4}'), '3 waits, 4 approved', 'above the limit, it waits for a second administrator');
select is(
  pg_temp.approve_all('{}') || pg_temp.approve_all('{4, 4}')
  || pg_temp.call((select a.id from a), 'approve_withdrawals', '{"p_ids": "4"}'),
  'PT422 invalid_argumentPT422 invalid_argumentPT422 invalid_argument',
  'no ids, one twice and what is no list are rejected'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
