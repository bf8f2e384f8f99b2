begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(14);

update app.settings set withdrawal_limit = 150;
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 8) as n;
alter table m add order_id bigint, add id bigint;
update m set order_id = pg_temp.earn(uid);
-- 1 and 8 are clear, 2 is the administrator's own, 3 is refused, 4 is held, 5 has a debt, 6 has a signal, and 7 is
-- above the limit.
update m set id = (
  app.request_withdrawal(
    uid, ('{60, 60, 60, 720, 720, 60, 151, 90}'::numeric[])[n], 'bank', pg_temp.account(uid, '6222' || uid), now()
  )
).id;
create temporary table a as select app.add_administrator(u.auth_id::text) as id from app.users as u join m using (uid)
  where m.n = 2;
select from m, app.move_withdrawal(app.lock_withdrawal(m.id), 'refused', now(), 'No') where n = 3;
select from m, app.request_refund(m.order_id, null, '', now()) where n = 4;
select from m, app.refund_order(m.order_id, null, null, now()) where n = 5;
select pg_temp.account(pg_temp.sign_up(), '6222' || uid) from m where n in (3, 6);

create function pg_temp.preview(p_which integer[], p_by uuid default null) returns jsonb
language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    coalesce(p_by, (select a.id from a)), 'preview_approvals',
    (
      select jsonb_build_object('p_ids', jsonb_agg(coalesce(m.id, 900000000000001) order by n desc))
      from unnest(p_which) as n left join m using (n)
    )
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb else to_jsonb(v_answer) end;
end
$$;
create function pg_temp.clear(p_preview jsonb) returns text language sql as $$
  select concat_ws(': ', string_agg(m.n::text, ' ' order by m.n), p_preview ->> 'amount')
  from jsonb_array_elements_text(p_preview -> 'ids') as i (id) join m on m.id = i.id::bigint
$$;
create function pg_temp.left_out(p_preview jsonb) returns setof text language sql as $$
  select concat_ws(
    ' ', m.n, e ->> 'amount', array_to_string(array(select jsonb_array_elements_text(e -> 'reasons')), '+'),
    nullif(e -> 'signals', '[]'), case when (e ->> 'can_be_approved')::boolean then 'possible' end
  )
  from jsonb_array_elements(p_preview -> 'left_out') with ordinality as l (e, place)
  join m on m.id = (e ->> 'id')::bigint
  order by place
$$;

create temporary table p as select pg_temp.preview('{1, 2, 3, 4, 5, 6, 7, 8}') as alone;
select is(pg_temp.clear(p.alone), '1 8: 150.00', 'what needs no look, and its sum') from p;
select results_eq(
  'select pg_temp.left_out(p.alone) from p',
  $$ values ('2 60.00 own_account'), ('3 60.00 withdrawal_state_conflict'),
  ('4 720.00 held_by_refunds+second_administrator'), ('5 720.00 debt+second_administrator'),
  ('6 60.00 signal ["shared_account"] possible'), ('7 151.00 second_administrator') $$,
  'the others, with all reasons'
);
select is(
  pg_temp.clear(pg_temp.preview('{1, 6, 7, 8}')), '1 8: 150.00', 'what is left out takes nothing of the limit'
);
select is(
  (
    select jsonb_agg(jsonb_build_array(m.n, e -> 'signals') order by m.n)
    from jsonb_array_elements(
      pg_temp.call((select a.id from a), 'admin_get_withdrawals', '{"p_limit": 100}')::jsonb -> 'list'
    ) as e
    join m on m.id = (e ->> 'id')::bigint
    where m.n in (1, 3, 6)
  ),
  '[[1, []], [3, []], [6, ["shared_account"]]]', 'the list has the signals of those that are open'
);
select is(
  (
    select jsonb_agg(
      pg_temp.call((select a.id from a), 'admin_get_withdrawal', jsonb_build_object('p_id', m.id))::jsonb -> 'signals'
      order by m.n
    )
    from m where m.n in (1, 3, 6)
  ),
  '[[], [], ["shared_account"]]', 'and so has the page of each'
);
update app.settings set withdrawal_limit = 149;
select is(
  pg_temp.clear(pg_temp.preview('{1, 8}')), '1: 60.00', 'the limit holds for the sum, in the sequence of the ids'
);
update app.settings set withdrawal_limit = 150;
select is(
  (select count(*)::integer from app.decided_alone), 0, 'nothing is written'
);

select is(
  pg_temp.call(
    (select a.id from a), 'approve_withdrawals', jsonb_build_object('p_ids', (select p.alone -> 'ids' from p))
  )::jsonb @? '$.lines[*] ? (@.result != "approved")',
  false, 'exactly these are approved'
);
select is(pg_temp.clear(pg_temp.preview('{6, 7}')), '0.00', 'then, nothing is left of the limit');

create temporary table other as select pg_temp.administrator() as id;
select results_eq(
  $$ select pg_temp.left_out(pg_temp.preview('{6, 7}')) $$,
  $$ values ('6 60.00 signal+second_administrator ["shared_account"] possible'),
  ('7 151.00 second_administrator possible') $$,
  'with a second administrator, what is above the limit can wait for them'
);
select is(
  pg_temp.call(
    (select a.id from a), 'approve_withdrawal', jsonb_build_object('p_id', (select m.id from m where m.n = 7))
  )::jsonb ->> 'waits',
  'true', 'once it waits'
);
select is(pg_temp.clear(pg_temp.preview('{7}', other.id)), '7: 151.00', 'the second approves it, whatever the limit')
from other;

update app.settings set withdrawal_limit = 1000;
update app.withdrawals as w set method = 'wechat', account_id = null from m where w.id = m.id and m.n = 6;
delete from app.payout_accounts as p using m where p.uid = m.uid and m.n = 6;
select results_eq(
  $$ select pg_temp.left_out(pg_temp.preview('{6}')) $$, $$ values ('6 60.00 second_administrator possible') $$,
  'whatever the amount, two approve a transfer by WeChat'
);
select is(
  pg_temp.preview('{1, 9}'), '"PT404 withdrawal_not_found"', 'there are no others'
);
select * from finish();
rollback;
