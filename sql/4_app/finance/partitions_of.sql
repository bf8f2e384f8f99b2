create or replace function app.partitions_of(p_from timestamptz, p_to timestamptz)
returns setof regclass
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'app.user_bill_default'::regclass
  union all
  select t.part
  from generate_series(date_trunc('month', p_from at time zone 'UTC'), (p_to - interval '1 microsecond') at time zone 'UTC', interval '1 month') as m (month)
  cross join lateral (select to_regclass('app.user_bill_' || to_char(m.month, 'YYYYMM')) as part, m.month) as t
  where t.part is not null
$$;

comment on function app.partitions_of is
  'Returns the partitions of the bill that can hold rows from p_from until before p_to: the default partition, and the months in UTC, '
  'oldest first.';
