-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
select plan(12);

-- An order of three units of which one is refunded, and one of which none is; both paid the same referrer. Another
-- member has points.
create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a,
  pg_temp.grade(pg_temp.reporter(), 1) as other;
select pg_temp.report(pg_temp.sign_up(other::text)) from m;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 3) as part,
  pg_temp.report(pg_temp.sign_up((select a::text from m))) as whole;
select app.refund_order(o.part, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now())
from o join app.order_lines as l on l.order_id = o.part;
\ir ../support/forgery.psql
create temporary table known as select check_name, subject from app.reconcile();
select is_empty(
  $$ select k.* from known as k
  where k.subject in (
    select format('uid %s', x) from m, unnest(array[a, other]) as x union select format('order %s', x)
    from o, unnest(array[part, whole]) as x
  )
    or k.check_name like '%revers%' $$,
  'before the damage, there are no findings'
);

-- Takes back half a grant of the order that nobody refunded, or, with a change, something else.
create function pg_temp.take_back(
  p_type text, p_source text, p_change text default '{}'
) returns void language sql as $$
  select pg_temp.book(
    l.uid, replace(g.type, 'brokerage', case g.type when 'brokerage' then 'brokerage_reversal' else 'reversal' end),
    l.source,
    -g.brokerage_delta / 2, -g.frozen_delta / 2, 0, l.order_id, g.basis / 2, l.rate, l.agent_level, null, g.id, now()
  )
  from o, app.user_bill as g, jsonb_populate_record(g, p_change::jsonb) as l
  where g.order_id = o.whole and g.type = p_type and g.source = p_source
$$;
create function pg_temp.change_reversal(p_change text) returns void language plpgsql as $$
begin
  execute format(
    'update app.user_bill set %s where order_id = (select part from o) and type = ''frozen_points_reversal'' and source = ''direct''',
    p_change
  );
end $$;

select matches(pg_temp.found(d.forgery), d.check_name, format('reconcile() finds %s', d.sentence)) from (values
  (
    'select pg_temp.take_back(''brokerage'', ''cycle'')', 'remaining_grant_equals_what_is_left',
    'a commission taken back without a refund'
  ),
  (
    'select pg_temp.take_back(''frozen_points_brokerage'', ''direct'')', 'reversal_has_its_refund',
    'points taken back without a refund'
  ),
  (
    'select pg_temp.take_back(''frozen_points_brokerage'', ''direct'', format(''{"uid": %s}'', m.other)) from m',
    'reversal_equals_what_it_reverses', 'a reversal in the bill of somebody else'
  ),
  (
    'select pg_temp.take_back(''frozen_points_brokerage'', ''direct'', format(''{"order_id": %s}'', o.part)) from o',
    'reversal_equals_what_it_reverses', 'a reversal that names another order'
  ),
  (
    'select pg_temp.take_back(''frozen_points_brokerage'', ''direct'', ''{"source": "umbrella"}'')',
    'reversal_equals_what_it_reverses', 'a reversal of another source'
  ),
  ('select pg_temp.change_reversal(''rate = 1'')', 'reversal_equals_what_it_reverses', 'a reversal at another rate'),
  ('select pg_temp.change_reversal(''reverses_id = -1'')', 'reversal_equals_what_it_reverses', 'a reversal of nothing'),
  (
    'select pg_temp.change_reversal(format(''type = %L, brokerage_delta = -1, frozen_delta = 0, available_delta = 0'', ''brokerage_reversal''))',
    'reversal_equals_what_it_reverses', 'money taken back for points'
  ),
  (
    'select pg_temp.change_reversal(''frozen_delta = frozen_delta + 1'')', 'reversal_leaves_basis_times_rate',
    'a reversal of less than its basis says'
  ),
  (
    'update app.user_bill set basis = basis + 0.01 where order_id = (select part from o) and type = ''brokerage_reversal''',
    'reversal_has_its_refund', 'a basis that no refund left, although the amount is the same'
  ),
  (
    'delete from app.user_bill where order_id = (select part from o) and type = ''brokerage_reversal''',
    'remaining_grant_equals_what_is_left', 'a refund that took nothing back'
  )
) as d (forgery, check_name, sentence);

select * from finish();
rollback;
