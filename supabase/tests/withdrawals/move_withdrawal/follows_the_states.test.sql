begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(64);

-- Every state with every step, by a member of its own.
create temporary table steps (name text, call text);
insert into steps values
  ('approved', 'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''approved'', now())'),
  ('paying', 'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''paying'', now())'),
  ('paid', 'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''paid'', now(), null, ''ref 1'')'),
  ('refused', 'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''refused'', now(), ''Wrong name'')'),
  ('failed', 'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''failed'', now(), ''Account closed'')'),
  ('cancelled', 'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''cancelled'', now())');
create temporary table paths (state text, path text[], allowed text[]);
insert into paths values
  ('requested', '{}', '{approved, refused, cancelled}'),
  ('approved', '{approved}', '{approved, paying, paid, refused, failed}'),
  ('paying', '{approved, paying}', '{paying, paid, failed}'),
  ('paid', '{approved, paying, paid}', '{paid}'),
  ('refused', '{refused}', '{refused}'),
  ('failed', '{approved, paying, failed}', '{failed}'),
  ('cancelled', '{cancelled}', '{cancelled}');
create function pg_temp.in_state(p_path text[]) returns bigint language plpgsql as $$
declare
  v_uid bigint := pg_temp.reporter();
  v_id bigint;
  v_name text;
begin
  perform pg_temp.earn(v_uid);
  v_id := pg_temp.withdraw(v_uid, 700);
  foreach v_name in array p_path loop
    execute format((select s.call from steps as s where s.name = v_name), v_id);
  end loop;
  return v_id;
end
$$;
create temporary table w as
select p.state, s.name, s.call, s.name = any (p.allowed) as is_allowed, pg_temp.in_state(p.path) as id from paths as p
cross join steps as s;
grant select on w to public;
select is(
  pg_temp.attempt('none', format(call, id)), case when is_allowed then name else 'PT409 withdrawal_state_conflict' end,
  format('%s can%s become %s', state, case when is_allowed then '' else 'not' end, name)
) from w order by state, name;

create temporary table e as select l.uid, l.id, l.state, l.amount from app.withdrawals as l;
select is_empty(
  $$ select e.* from e
  where pg_temp.money(e.uid) <> case
    when e.state in ('refused', 'failed', 'cancelled') then '720.00 of 720.00'
    else '20.00 of 20.00'
  end $$,
  'the amount has returned to the balance if, and only if, the withdrawal was not paid and has ended'
);
select is_empty(
  $$ select e.* from e
  where (select count(*) from app.user_bill as b where b.withdrawal_id = e.id) <> case
    when e.state in ('refused', 'failed', 'cancelled') then 2
    else 1
  end $$,
  'one row of the bill returns the amount'
);
select is_empty(
  $$ select uid from e
  where app.commission_since(e.uid, '-infinity') <> 720 $$, 'an amount that returns is not earned again'
);

create temporary table f as select pg_temp.in_state('{approved}') as id;
select matches(pg_temp.attempt('none', format(c.call, id)), '^PT422 invalid_argument', c.sentence)
from f, (values
  ('select state from app.move_withdrawal(app.lock_withdrawal(%s), ''refused'', now())', 'a refusal needs a reason'),
  (
    'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''refused'', now(), ''  '')',
    'a reason has visible characters'
  ),
  ('select state from app.move_withdrawal(app.lock_withdrawal(%s), ''failed'', now())', 'a failure needs a reason'),
  (
    'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''failed'', now(), repeat(''x'', 501))',
    'a reason has at most 500 characters'
  ),
  (
    'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''refused'', now(), E''a\u202eb'')',
    'a reason has no mark of text direction'
  ),
  (
    'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''paid'', now(), ''why'')',
    'a payment has no reason'
  ),
  (
    'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''paid'', now(), null, '''')',
    'a reference is not empty'
  ),
  (
    'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''paid'', now(), null, repeat(''x'', 129))',
    'a reference has at most 128 characters'
  ),
  (
    'select state from app.move_withdrawal(app.lock_withdrawal(%s), ''refused'', now(), ''no'', ''ref'')',
    'a withdrawal that is not paid has no reference'
  )
) as c (call, sentence);
select is(state, 'approved', 'none of these calls changes the withdrawal') from app.withdrawals as l, f
where l.id = f.id;
select is(
  (app.move_withdrawal(app.lock_withdrawal(pg_temp.in_state('{}')), 'refused', now(), repeat('x', 500))).reason,
  repeat('x', 500), 'a reason of 500 characters is kept'
);
select is(
  (
    app.move_withdrawal(app.lock_withdrawal(pg_temp.in_state('{approved}')), 'paid', now(), null, repeat('x', 128))
  ).payment_ref,
  repeat('x', 128), 'and a reference of 128'
);
select is(
  (app.move_withdrawal(app.lock_withdrawal(id), 'paid', now())).payment_ref, null, 'a payment needs no reference'
)
from f;
select throws_ok(
  'select app.move_withdrawal(app.lock_withdrawal(0), ''paid'', now())', 'PT404', 'withdrawal_not_found',
  'a withdrawal that does not exist cannot end'
);
select throws_ok(
  'select app.move_withdrawal(app.lock_withdrawal(null), ''approved'', now())', 'PT404', 'withdrawal_not_found',
  'an id is required'
);

delete from app.settlement_jobs;
select is_empty('select * from app.reconcile()', 'the books agree');
create temporary table s as select pg_temp.in_state('{approved, paying}') as id;
select throws_ok(
  format($$ update app.withdrawals set %s where id = (select id from s) $$, c.change), '23514', null,
  format('the table rejects %s', c.change)
) from (values ('ended_at = now()'), ('state = ''paid'''), ('batch_id = null, method = ''wechat''')) as c (change);

select * from finish();
rollback;
