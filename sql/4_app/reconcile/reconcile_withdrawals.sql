create or replace function app.reconcile_withdrawals(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with booked as (
      select
        l.withdrawal_id as id, min(l.uid) as uid, sum(l.brokerage_delta) as amount, count(*) as rows,
        max(l.add_time) filter (where l.type = 'withdrawal') as taken_at, max(l.add_time) filter (where l.type = 'withdrawal_returned') as returned_at
      from app.user_bill as l
      where l.uid between p_from and p_to and l.withdrawal_id is not null
      group by l.withdrawal_id
    ),
    stated as (
      select
        w.id, w.uid, t.is_returned, case when t.is_returned then 0.00 else -w.amount end as amount, case when t.is_returned then 2 else 1 end as rows,
        w.add_time as taken_at, case when t.is_returned then w.ended_at end as returned_at
      from app.withdrawals as w
      cross join lateral (select w.state in ('refused', 'failed') as is_returned) as t
      where w.uid between p_from and p_to
    )
    select
      'withdrawal_equals_its_bill_rows', format('withdrawal %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.amount, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.taken_at), app.utc(s.returned_at)),
      concat_ws(' ', b.amount, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.taken_at), app.utc(b.returned_at))
    from stated as s
    full join booked as b on b.id = s.id
    where (s.uid, s.amount, s.rows, s.taken_at, s.returned_at) is distinct from (b.uid, b.amount, b.rows, b.taken_at, b.returned_at);
end
$$;

comment on function app.reconcile_withdrawals is
  'Finds withdrawals that did not leave the balance exactly once, or did not come back exactly once if they were refused or failed. With '
  'reconcile_balances, reconcile_amounts and reconcile_maturities, this proves that what a member was granted, less reversals, is '
  'withdrawable, maturing, reserved or paid.';
