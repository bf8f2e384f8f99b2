create or replace function app.reconcile_amounts(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select
      'amount_is_basis_times_rate', format('bill %s', l.id), e.amount::text, a.amount::text
    from app.user_bill as l
    cross join lateral (
      select case l.type when 'brokerage' then l.brokerage_delta when 'points_spent' then -l.available_delta else greatest(l.frozen_delta, l.available_delta) end as amount
    ) as a
    cross join lateral (
      select app.grant_amount(l.type, l.basis, l.rate) as amount
    ) as e
    where l.uid between p_from and p_to and l.add_time >= p_since and l.reverses_id is null and a.amount <> e.amount;
end
$$;

comment on function app.reconcile_amounts is 'Finds grants and spent points in the bill whose amount is not basis times rate, rounded down. With p_since, those booked since then.';
