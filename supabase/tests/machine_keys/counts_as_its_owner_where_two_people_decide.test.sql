-- Guarantee access/machine-key-as-second: Where two people decide, a machine key counts as its owner and is never the
-- second to decide
-- By: its claims name the owner, api.use_machine_key; app.reject_key_as_second
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
grant store_api to postgres;

-- Two owners, each as a person and with two keys.
create temporary table owners as select o.name, pg_temp.administrator() as id
  from (values ('one'), ('two')) as o (name);
create temporary table callers as select o.name, 'person' as with_what,
  jsonb_build_object('role', 'store_admin', 'sub', o.id) as claims
  from owners as o;
with made as (
  insert into app.machine_keys (name, hash, scopes, calls_per_hour, owner, created_by, created_at, expires_at)
  select k.name, sha256('secret'), '{money:write}', 1, o.id, o.id, now(), now() + interval '1 day' from owners as o
  cross join (values ('key'), ('other key')) as k (name)
  returning *
)
insert into callers select o.name, k.name, jsonb_build_object('role', 'store_key', 'sub', o.id, 'key', k.id)
from made as k join owners as o on o.id = k.owner;

update app.settings set adjustment_limit_money = 1, offline_payment_limit = 1, withdrawal_limit = 1;
create temporary table members as select pg_temp.reporter() as uid, pg_temp.reporter() as payee;
select pg_temp.earn(m.payee) from members as m;
create temporary table things as
select pg_temp.withdraw(m.payee, 50) as withdrawal,
  (
    app.create_order(
      m.uid, (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g),
      now()
    )
  ).id as unpaid
from members as m;

create function pg_temp.ask(p_claims jsonb, p_function text, p_args jsonb) returns text language plpgsql as $$
begin
  return pg_temp.attempt('store_api', format('select app.as_caller(%L, %L, %L)', p_claims, p_function, p_args));
end
$$;
-- What came of a decision that two callers make, one after the other. Everything is undone.
create function pg_temp.decision(p_kind text, p_first jsonb, p_second jsonb) returns text language plpgsql as $$
declare
  v_things things;
  v_id bigint;
  v_second text;
  v_result text;
begin
  select t.* into v_things from things as t;
  case p_kind
    when 'adjustment' then
      perform pg_temp.ask(
        p_first, 'create_adjustment',
        (select jsonb_build_object('p_uid', m.uid, 'p_brokerage', 5, 'p_reason', 'A test') from members as m)
      );
      select max(a.id) into v_id from app.adjustments as a;
      v_second := pg_temp.ask(p_second, 'approve_adjustment', jsonb_build_object('p_id', v_id));
      select a.state into v_result from app.adjustments as a where a.id = v_id;
    when 'offline payment' then
      perform pg_temp.ask(p_first, 'pay_order_offline', jsonb_build_object('p_order_id', v_things.unpaid));
      v_second := pg_temp.ask(p_second, 'pay_order_offline', jsonb_build_object('p_order_id', v_things.unpaid));
      select o.state into v_result from app.orders as o where o.id = v_things.unpaid;
    when 'approval' then
      perform pg_temp.ask(p_first, 'approve_withdrawal', jsonb_build_object('p_id', v_things.withdrawal));
      v_second := pg_temp.ask(p_second, 'approve_withdrawal', jsonb_build_object('p_id', v_things.withdrawal));
      select w.state into v_result from app.withdrawals as w where w.id = v_things.withdrawal;
    when 'payment' then
      update app.settings set withdrawal_limit = 100;
      perform pg_temp.ask(p_first, 'approve_withdrawal', jsonb_build_object('p_id', v_things.withdrawal));
      v_second := pg_temp.ask(p_second, 'mark_withdrawal_paid', jsonb_build_object('p_id', v_things.withdrawal));
      select w.state into v_result from app.withdrawals as w where w.id = v_things.withdrawal;
    when 'batch' then
      update app.settings set withdrawal_limit = 100;
      perform pg_temp.ask(p_first, 'approve_withdrawal', jsonb_build_object('p_id', v_things.withdrawal));
      v_second := pg_temp.ask(p_second, 'create_withdrawal_batch', jsonb_build_object('p_method', 'bank'));
      select w.state into v_result from app.withdrawals as w where w.id = v_things.withdrawal;
  end case;
  raise exception using errcode = 'P0099', message = v_result;
exception when sqlstate 'P0099' then
  return sqlerrm;
end
$$;
create temporary table kinds (kind, alone, together) as values
  ('adjustment', 'waiting', 'booked'), ('offline payment', 'unpaid', 'paid'), ('approval', 'requested', 'approved'),
    ('payment', 'approved', 'paid'), ('batch', 'approved', 'paying');

select plan(count(*)::integer) from kinds;
select is_empty(
  format($$
    select f.name, f.with_what, s.name, s.with_what, pg_temp.decision(%L, f.claims, s.claims) from callers as f
    cross join callers as s
    where pg_temp.decision(%1$L, f.claims, s.claims) is distinct from case
      when f.name = s.name or s.with_what <> 'person' then %L
      else %L
    end
  $$, k.kind, k.alone, k.together),
  format('%s: a key counts as its owner, alone and beside another key, and is never the second to decide', k.kind)
)
from kinds as k;

select * from finish();
rollback;
