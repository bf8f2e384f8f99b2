create or replace function app.reconcile_withdrawals(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    with booked as (
      select l.withdrawal_id as id, l.type, min(l.uid) as uid, sum(l.brokerage_delta) as amount, count(*) as rows, max(l.add_time) as at
      from app.user_bill as l
      where l.uid between p_from and p_to and l.add_time >= v_since and l.withdrawal_id is not null
      group by l.withdrawal_id, l.type
    ),
    stated as (
      select w.id, 'withdrawal' as type, w.uid, -w.amount as amount, 1::bigint as rows, w.add_time as at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.add_time >= v_since
      union all
      select w.id, 'withdrawal_returned', w.uid, w.amount, 1, w.ended_at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.ended_at >= v_since and w.state in ('refused', 'failed')
    )
    select
      'withdrawal_equals_its_bill_rows', format('withdrawal %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.type, s.amount, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.at)),
      concat_ws(' ', b.type, b.amount, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.at))
    from stated as s
    full join booked as b on b.id = s.id and b.type = s.type
    where (s.uid, s.amount, s.rows, s.at) is distinct from (b.uid, b.amount, b.rows, b.at);
end
$$;

comment on function app.reconcile_withdrawals is
  'Finds withdrawals that did not leave the balance exactly once, or did not come back exactly once if they were refused or failed. With '
  'reconcile_balances, reconcile_amounts and reconcile_maturities, this proves that what a member was granted, less reversals, is '
  'withdrawable, maturing, reserved or paid. With p_since, what was taken or returned since then.';
