begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(12);

-- The scheduled configuration check may have run, and its findings wait for administrators, too.
delete from app.settings_checks;

update app.settings set withdrawal_limit = 100;
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 3) as n;
select from m, pg_temp.earn(m.uid);
create temporary table w as select m.n, pg_temp.withdraw(m.uid, 60) as id from m;
create temporary table admins as select pg_temp.administrator() as one;
create function pg_temp.approve_as(p_by uuid, p_n integer) returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    p_by, 'approve_withdrawal', jsonb_build_object('p_id', (select w.id from w where w.n = p_n))
  );
begin
  return case
    when v_answer like '{%' then concat_ws(
      ' ', v_answer::jsonb ->> 'state', case when (v_answer::jsonb ->> 'waits')::boolean then 'waits' end
    )
    else v_answer
  end;
end
$$;

select is(pg_temp.approve_as(a.one, 1), 'approved', 'up to the limit, one administrator approves alone')
from admins as a;
select is(pg_temp.approve_as(a.one, 1), 'approved', 'a repeated approval changes nothing') from admins as a;
select is(
  pg_temp.approve_as(a.one, 2), 'PT409 second_administrator_needed', 'the sum of the day would be above the limit'
)
from admins as a;
alter table admins add two uuid;
update admins set two = pg_temp.administrator();
select is(pg_temp.approve_as(a.one, 2), 'requested waits', 'with a second administrator, it waits') from admins as a;
select is(pg_temp.approve_as(a.one, 2), 'requested waits', 'the first administrator cannot approve it twice')
from admins as a;
select results_eq(
  $$ select x.to_value from app.admin_actions as x, w
  where w.n = 2 and x.target_id = w.id::text and x.function = 'approve_withdrawal' order by x.id limit 1 $$,
  $$ values ('{"waits": true}'::jsonb) $$, 'the log has the first approval'
);
select is(
  concat_ws(
    '; ', substring(pg_temp.waits(a.one) from 'withdrawal_.*'), substring(pg_temp.waits(a.two) from 'withdrawal_.*')
  ),
  'withdrawal_approval 1; withdrawal_approval 2, withdrawal_payment 1',
  'neither it nor the payment of what they approved waits for the first administrator'
) from admins as a;
select is(pg_temp.approve_as(a.two, 2), 'approved', 'the second administrator approves it') from admins as a;
select is(pg_temp.approve_as(a.two, 3), 'approved', 'their own sum is still empty') from admins as a;
select results_eq(
  'select d.auth_id = a.one, d.money from app.decided_alone as d, admins as a order by 1',
  'values (false, 60.00), (true, 60.00)', 'what two have approved is in the sum of neither'
);
select results_eq(
  'select w.n, l.approved_by = a.one from app.withdrawals as l join w using (id), admins as a order by 1',
  'values (1, true), (2, false), (3, false)', 'the last approval is stored'
);
update app.settings set withdrawal_limit = 1000;
select is(
  (
    select pg_temp.call(
      a.one, 'refuse_withdrawal', jsonb_build_object('p_id', w.id, 'p_reason', 'No')
    )::jsonb ->> 'state'
    from w, admins as a where w.n = 3
  ),
  'refused', 'each of them can refuse it'
);

select * from finish();
rollback;
