begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
\ir ../support/real_names.psql
grant store_api to postgres;
select plan(6);

select app.set_settings('{"real_name_from": 100, "real_name_check": "none"}', now());
create temporary table m as select pg_temp.reporter() as taxed, pg_temp.reporter() as paid;
select pg_temp.give(m.taxed), pg_temp.give(m.paid) from m;
select from m, pg_temp.earn(m.taxed);
select from m, pg_temp.earn(m.paid);
create function pg_temp.pay(p_uid bigint) returns void language sql as $$
  select
  from app.move_withdrawal(app.lock_withdrawal(pg_temp.approve(pg_temp.withdraw(p_uid, 100))), 'paying', now()) as w,
    app.move_withdrawal(w, 'paid', now())
$$;
select pg_temp.pay(m.paid) from m;
select app.set_settings('{"tax_method": "per_payment"}', now());
select pg_temp.pay(m.taxed) from m;
select is((select count(*) from app.tax_withholdings), 1::bigint, 'tax is computed of one of two members');
delete from auth.users where id in (select u.auth_id from app.users as u, m where u.uid in (m.taxed, m.paid));
select results_eq(
  'select r.uid from app.real_names as r', 'select m.taxed from m',
  'their real name stays when both leave, that of the other is deleted'
);

create temporary table last as select date_trunc('year', max(t.month)::timestamp) as year
  from app.tax_withholdings as t;
select is(
  app.forget_real_names(last.year + interval '11 years' - interval '2 days', 100), 0,
  'until ten years after the end of the year'
)
from last;
select is(app.forget_real_names(last.year + interval '11 years' + interval '2 days', 100), 1, 'then it is deleted, too')
from last;
select is_empty('select from app.real_names', 'nothing is left');

create temporary table n as select pg_temp.sign_up() as uid;
select pg_temp.give(n.uid) from n;
select is(app.forget_real_names(last.year + interval '11 years' + interval '2 days', 100), 0, 'that of a member stays')
from last;
select * from finish();
rollback;
