begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
grant store_api to postgres;
select plan(8);

create temporary table w as select pg_temp.approved_transfer(pg_temp.wechat_member()) as approved,
  pg_temp.asked_transfer(pg_temp.wechat_member()) as asked;
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.end(p_function text, p_no text) returns text language sql as $$
  select pg_temp.call(
    admin.id, p_function,
    jsonb_build_object('p_id', l.id)
    || case p_function when 'mark_withdrawal_failed' then '{"p_reason": "By hand"}'::jsonb else '{}' end
  )
  from admin, app.withdrawals as l where l.withdrawal_no = p_no
$$;
select is(
  pg_temp.end(f.name, f.no), 'PT409 withdrawal_state_conflict', format('%s of a transfer that is %s', f.name, f.state)
)
from (
  select n.name, s.state, s.no
  from unnest('{mark_withdrawal_paid, mark_withdrawal_failed}'::text[]) as n (name), w,
    lateral (values ('approved', w.approved), ('asked', w.asked)) as s (state, no)
) as f;
update app.transfers set first_asked_at = now() - interval '30 days' + interval '1 minute' where asked_at is not null;
select is(
  pg_temp.end('mark_withdrawal_failed', asked), 'PT409 withdrawal_state_conflict', 'for 30 days, WeChat can be asked'
)
from w;
update app.transfers set first_asked_at = now() - interval '30 days' where asked_at is not null;
select is(
  pg_temp.end('mark_withdrawal_failed', asked)::jsonb ->> 'state', 'failed',
  'after 30 days, WeChat says nothing more, and an administrator decides'
)
from w;
select is_empty($$ select from app.outbox, w where key = w.asked $$, 'nobody asks any more');
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
