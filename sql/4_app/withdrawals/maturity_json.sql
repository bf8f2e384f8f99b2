-- Has no set clause, so that the planner can inline it.
create or replace function app.maturity_json(p_uid bigint, p_brokerage_price numeric, p_now timestamptz)
returns setof jsonb
language sql
stable
rows 1
as $$
  select pg_catalog.jsonb_build_object(
    'withdrawable', (p_brokerage_price - coalesce(pg_catalog.sum(d.amount), 0))::pg_catalog.text,
    'maturing', coalesce(pg_catalog.sum(d.amount), 0.00)::pg_catalog.text,
    'maturing_after_receipt', coalesce(pg_catalog.sum(d.amount) filter (where d.day is null), 0.00)::pg_catalog.text,
    'matures', coalesce(
      pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('date', d.day, 'amount', d.amount::pg_catalog.text) order by d.day) filter (where d.day is not null),
      '[]'
    )
  )
  from (
    select app.business_day(m.matures_at) as day, pg_catalog.sum(m.amount_left) as amount
    from app.maturing(p_uid, p_now) as m
    where m.amount_left > 0
    group by 1
  ) as d
$$;

comment on function app.maturity_json is
  'Returns what of a balance can be withdrawn, what is maturing, how much of that waits for the receipt of its order, and what '
  'matures on which business day.';
