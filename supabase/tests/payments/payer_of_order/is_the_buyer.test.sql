begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 3) as n;
insert into app.wechat_accounts (appid, openid, auth_id) select 'app ' || m.n, 'openid ' || m.n, u.auth_id from m
join app.users as u on u.uid = m.uid where m.n < 3;
create temporary table o as
select m.n, r.id
from m, goods as g,
  lateral app.create_order(
    m.uid, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)), now()
  ) as r;
create function pg_temp.payer(p_n integer, p_openid text) returns text language sql as $$
  select concat_ws(', ', p.openid, p.appid) from o, app.payer_of_order(o.id, p_openid) as p where o.n = p_n
$$;
select is(pg_temp.payer(1, null), 'openid 1, app 1', 'the payer of an order is its buyer');
select is(pg_temp.payer(2, null), 'openid 2, app 2', 'the payer of the order of another member is that member');
select is(pg_temp.payer(2, 'openid 2'), 'openid 2, app 2', 'the buyer can be named');
select is(pg_temp.payer(2, 'openid 1'), '', 'somebody else has no app');
select is(pg_temp.payer(3, null), '', 'a buyer who does not sign in with WeChat is not known');

select * from finish();
rollback;
