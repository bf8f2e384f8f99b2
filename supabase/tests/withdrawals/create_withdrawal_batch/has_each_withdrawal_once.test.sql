begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(26);

create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 5) as n;
select from m, pg_temp.earn(m.uid);
create temporary table w as select m.n, m.uid, pg_temp.withdraw(m.uid, 100 + m.n) as id from m where m.n < 5;
insert into w select 5, m.uid, l.id
from m, app.request_withdrawal(m.uid, 105, 'alipay', pg_temp.account(m.uid, '13800000000', null), now()) as l
where m.n = 5;
select pg_temp.approve(id) from w where n <> 3;
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.batch(p_args jsonb) returns text language sql as $$ select pg_temp.call(
  admin.id, 'create_withdrawal_batch', p_args
)
  from admin $$;
create function pg_temp.ids(p_ns integer[]) returns jsonb language sql as $$ select jsonb_agg(w.id) from w
  where w.n = any (p_ns) $$;

select is(pg_temp.batch(c.args), c.rejection, c.sentence) from (values
  ('{"p_method": "wechat"}'::jsonb, 'PT422 invalid_argument', 'there are no batches for WeChat'),
  ('{"p_method": null}', 'PT422 invalid_argument', 'a batch has a method'),
  ('{"p_method": "bank", "p_ids": []}', 'PT422 invalid_argument', 'a batch has a withdrawal'),
  ('{"p_method": "bank", "p_ids": "all"}', 'PT422 invalid_argument', 'the ids of a batch are a list'),
  ('{"p_method": "bank", "p_ids": [1.5]}', 'PT422 invalid_argument', 'an id is a whole number'),
  (
    '{"p_method": "bank", "p_ids": [999999999]}', 'PT404 withdrawal_not_found',
    'a withdrawal that does not exist is in no batch'
  ),
  (
    jsonb_build_object('p_method', 'bank', 'p_ids', pg_temp.ids('{1, 3}')), 'PT409 withdrawal_state_conflict',
    'a withdrawal that is not approved is in no batch'
  ),
  (
    jsonb_build_object('p_method', 'bank', 'p_ids', pg_temp.ids('{1, 5}')), 'PT409 withdrawal_state_conflict',
    'a withdrawal by another method is in no batch'
  ),
  (
    jsonb_build_object('p_method', 'bank', 'p_ids', pg_temp.ids('{1}') || pg_temp.ids('{1}')), 'PT422 invalid_argument',
    'a withdrawal is named once'
  )
) as c (args, rejection, sentence);
select is_empty('select from app.withdrawal_batches', 'none of these requests makes a batch');

create temporary table first as select pg_temp.batch(
  jsonb_build_object('p_method', 'bank', 'p_ids', pg_temp.ids('{2}'))
)::jsonb as batch;
select is(
  batch - 'id' - 'batch_no' - 'created_by' - 'add_time',
  '{"method": "bank", "withdrawals": 1, "amount": "102.00", "tax": "0.00", "paying": 1, "paid": 0, "failed": 0}',
  'a batch can have selected withdrawals'
)
from first;
select matches(batch ->> 'batch_no', '^B[0-9]{8}$', 'a batch has a number') from first;
create temporary table rest as select pg_temp.batch('{"p_method": "bank"}')::jsonb as batch;
select is(batch ->> 'withdrawals', '2', 'a batch without ids has all that are left') from rest;
select results_eq(
  $$ select w.n, l.state, l.batch_id = (r.batch ->> 'id')::bigint from w
  join app.withdrawals as l on l.id = w.id, rest as r order by w.n $$,
  $$ values (1, 'paying', true), (2, 'paying', false), (3, 'requested', null), (4, 'paying', true),
  (5, 'approved', null) $$, 'each approved withdrawal is in one batch'
);
select is(
  pg_temp.batch('{"p_method": "bank"}'), 'PT409 withdrawal_state_conflict', 'when nothing is left, there is no batch'
);
select is(
  pg_temp.batch('{"p_method": "alipay"}')::jsonb ->> 'withdrawals', '1',
  'a batch for Alipay has the withdrawals to Alipay'
);

create function pg_temp.rows(p_after bigint, p_limit integer) returns jsonb language sql as $$
  select pg_temp.call(
    admin.id, 'get_withdrawal_batch_rows',
    jsonb_build_object('p_id', (rest.batch ->> 'id')::bigint, 'p_after', p_after, 'p_limit', p_limit)
  )::jsonb
  from admin, rest
$$;
select is(
  jsonb_path_query_array(pg_temp.rows(0, 10), '$.lines[*].amount'), '["101.00", "104.00"]',
  'the rows of a batch are in the sequence of its withdrawals'
);
select is(pg_temp.rows(0, 1) ->> 'next_cursor', id::text, 'a page names its last withdrawal') from w where n = 1;
select is(
  jsonb_path_query_array(pg_temp.rows(id, 1), '$.lines[*].amount'), '["104.00"]', 'the next page begins after it'
)
from w where n = 1;
select is(pg_temp.rows(id, 1) -> 'lines', '[]', 'the last page is empty') from w where n = 4;

select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'failed', now(), 'Account closed') where n = 4;
create function pg_temp.end_batch() returns jsonb language sql as $$
  select pg_temp.call(
    admin.id, 'mark_withdrawal_batch_paid',
    jsonb_build_object('p_id', (rest.batch ->> 'id')::bigint, 'p_payment_ref', 'statement 7')
  )::jsonb
  from admin, rest
$$;
select is(
  pg_temp.end_batch() - 'id' - 'batch_no' - 'created_by' - 'add_time',
  '{"method": "bank", "withdrawals": 2, "amount": "205.00", "tax": "0.00", "paying": 0, "paid": 1, "failed": 1}',
  'all withdrawals of a batch that did not fail are paid'
);
select is(pg_temp.end_batch() ->> 'paid', '1', 'marking a batch as paid again changes nothing');
select is(payment_ref, 'statement 7', 'a paid withdrawal has the reference of the payment') from app.withdrawals as l
join w using (id) where w.n = 1;
select is(jsonb_array_length(pg_temp.rows(0, 10) -> 'lines'), 2, 'the file of the batch stays the same');
select is(
  (select count(*) from app.admin_actions where target_type = 'withdrawal_batch'), 5::bigint,
  'each change of a batch is recorded as an action'
);
delete from app.settlement_jobs;
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
