-- Has no set clause, so that the planner can inline it.
create or replace function app.bill_sums(p_from timestamptz, p_to timestamptz)
returns jsonb
language sql
stable
as $$
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
    'type', s.type, 'source', s.source, 'rows', s.rows, 'brokerage', s.brokerage::pg_catalog.text,
    'frozen_points', pg_catalog.trim_scale(s.frozen), 'available_points', pg_catalog.trim_scale(s.available)
  ) order by s.type collate "C", s.source collate "C"), '[]')
  from (
    select
      b.type, b.source, pg_catalog.count(*) as rows, pg_catalog.sum(b.brokerage_delta) as brokerage, pg_catalog.sum(b.frozen_delta) as frozen,
      pg_catalog.sum(b.available_delta) as available
    from app.user_bill as b
    where b.add_time >= p_from and b.add_time < p_to
    group by b.type, b.source
  ) as s
$$;

comment on function app.bill_sums is 'Returns the sums of the bill of all members from p_from until before p_to, for each type and source.';
