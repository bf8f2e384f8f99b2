-- Orders without a change between two that have changed are checked with them if they are few. A range with its lower end 0 comes
-- first in every check, because some checks look there at what has no key.
create or replace function app.key_ranges(p_keys text, p_since timestamptz, p_from bigint, p_to bigint)
returns table (first bigint, last bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_gap constant bigint := 100;
begin
  if p_since > '-infinity' and p_keys = 'orders' then
    return query
      select 0::bigint, 0::bigint where p_from = 0
      union all
      select min(i.id), max(i.id)
      from (
        select g.id, count(*) filter (where g.gap > v_gap) over (order by g.id) as island
        from (select o.id, o.id - lag(o.id) over (order by o.id) as gap from app.orders_since(p_since) as o (id) where o.id between p_from and p_to) as g
      ) as i
      group by i.island;
  elsif p_since > '-infinity' and p_keys in ('days', 'months') then
    return query select greatest(p_from, app.business_day(p_since) - date '2000-01-01'), p_to;
  else
    return query select p_from, p_to;
  end if;
end
$$;

comment on function app.key_ranges is
  'Returns the ranges of keys from p_from to p_to on which a check is run that looks at what has changed since p_since: for orders, '
  'those around the changed ones; for days and closed months, those since then; otherwise all.';
