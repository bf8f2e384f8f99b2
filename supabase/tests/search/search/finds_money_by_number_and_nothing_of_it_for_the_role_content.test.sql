-- Guarantee privacy/search: The search shows the role content no member, no order and no money
-- By: api.search
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(7);

create temporary table admins as select pg_temp.administrator() as owner, pg_temp.administrator() as editor;
update app.administrators set roles = '{content}' where auth_id = (select editor from admins);
create function pg_temp.found(p_by uuid, p_text text) returns jsonb language sql as $$
  select pg_temp.call(p_by, 'search', jsonb_build_object('p_text', p_text))::jsonb
$$;

create temporary table m as select pg_temp.reporter() as uid;
select from pg_temp.reporter((select uid from m));
update app.commission_maturities set matures_at = '-infinity';
create temporary table w as
select r.* from m
cross join lateral app.request_withdrawal(
  m.uid, 100, 'bank', (app.add_payout_account(m.uid, 'bank', 'Lin Wei', '62220212345', 'ICBC', now())).id, now()
) as r;
select from w cross join lateral app.move_withdrawal(app.lock_withdrawal(w.id), 'approved', now());
create temporary table batch as select b.* from w
  cross join lateral app.create_withdrawal_batch('bank', array[w.id], null, null, now()) as b;
create temporary table row as select b.* from app.user_bill as b join w on w.id = b.withdrawal_id;

select is(
  pg_temp.found(owner, lower(withdrawal_no)) #>> '{withdrawals,0,id}', w.id::text,
  'a withdrawal by its number, ignoring case'
)
from admins, w;
select ok(
  pg_temp.found(owner, w.id::text) -> 'withdrawals' @> jsonb_build_array(jsonb_build_object('id', w.id)),
  'and by its id'
)
from admins, w;
select is(pg_temp.found(owner, lower(batch_no)) #>> '{batches,0,id}', batch.id::text, 'a batch by its number')
from admins, batch;
select is(pg_temp.found(owner, row.id::text) -> 'bill_rows' -> 0 ->> 'type', 'withdrawal', 'a bill row by its number')
from admins, row;
select is(
  pg_temp.found(owner, '99999999999999999999') - 'products',
  '{"members": [], "orders": [], "withdrawals": [], "batches": [], "bill_rows": []}',
  'a number beyond all numbers finds nothing'
)
from admins;
select is(
  array(select pg_temp.found(editor, t) - 'products' from admins, w, batch, row, m,
    unnest(
      array[w.withdrawal_no, batch.batch_no, row.id::text, m.uid::text, 'Tester', (
        select max(o.order_no) from app.orders as o
      )]
    ) as t),
  array_fill('{"members": [], "orders": [], "withdrawals": [], "batches": [], "bill_rows": []}'::jsonb, array[6]),
  'the role content finds no member, no order and no money'
);
select is(pg_temp.found(editor, 'flag') #>> '{products,0,title}', 'Flagship', 'but products') from admins;

select * from finish();
rollback;
