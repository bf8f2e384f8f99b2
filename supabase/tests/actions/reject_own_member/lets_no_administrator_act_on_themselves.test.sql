-- Guarantee access/administrators-themselves: Administrators do not act on themselves
-- By: app.reject_own_member
begin;
\ir ../../support/fixture.psql
select plan(23);
grant store_api to postgres;

create temporary table who as select pg_temp.administrator() as id, pg_temp.administrator() as other;
create temporary table m as select u.uid from app.users as u, who as w where u.auth_id = w.id;
create temporary table o as select pg_temp.buy(uid) as paid,
  (
    app.create_order(
      uid, (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)) from goods as g), now()
    )
  ).id as unpaid,
  pg_temp.report(uid) as asked, null::bigint as parcel
  from m;
select app.deliver_order(asked, now(), 'SF', 'SF1007') from o;
update o set parcel = (select l.id from app.parcels as l where l.order_id = o.asked);
select app.request_refund(asked, null, '', now()) from o;
create temporary table calls as
select c.* from o, m, lateral (values
  ('pay_order_offline', jsonb_build_object('p_order_id', o.unpaid)),
  ('deliver_order', jsonb_build_object('p_order_id', o.paid)),
  ('add_parcel', jsonb_build_object('p_order_id', o.paid, 'p_carrier', 'SF', 'p_tracking_no', 'SF1009')),
  ('set_parcel', jsonb_build_object('p_id', o.parcel, 'p_tracking_no', 'SF1008')),
  ('retry_job', jsonb_build_object('p_order_id', o.paid)),
  ('refund_order', jsonb_build_object('p_order_id', o.paid)),
  ('refuse_refund', jsonb_build_object('p_order_id', o.asked)),
  ('set_agent_level', jsonb_build_object('p_uid', m.uid, 'p_grade', 4)),
  ('set_no_assess', jsonb_build_object('p_uid', m.uid, 'p_no_assess', true)),
  ('dismiss_member_doubt', jsonb_build_object('p_uid', m.uid, 'p_nickname', 'Lin')),
  (
    'dismiss_refund_doubt',
    jsonb_build_object(
      'p_order_id', o.asked, 'p_refund_id', (select f.id from app.refunds as f where f.order_id = o.asked)
    )
  )
) as c (name, args);

select is(
  pg_temp.call(w.id, c.name, c.args), 'PT403 own_account',
  format('%s is rejected for the administrator whose account it is', c.name)
)
from calls as c, who as w;
select unalike(pg_temp.call(w.other, c.name, c.args), 'PT%', format('%s is not rejected for another one', c.name))
from calls as c, who as w;
select set_eq('select function, actor from app.admin_actions where function <> ''add_administrator''',
  'select c.name, w.other from calls as c, who as w',
  'accepted actions are recorded with their actor, rejected ones are not');

select * from finish();
rollback;
