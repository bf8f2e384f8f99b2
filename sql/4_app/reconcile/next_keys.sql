-- A batch is measured in members or orders. The other keys are weighed by what one costs: deciding an order again takes as long as
-- checking about 500 orders, a day of releases about 2,000 members. A slice has one or two closed months.
create or replace function app.next_keys(p_keys text, p_from bigint, p_batch integer, p_since timestamptz default '-infinity')
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_limit integer := greatest(p_batch / case p_keys when 'sample' then 500 when 'days' then 2000 when 'months' then 50000 else 1 end, 1);
  v_keys bigint[];
begin
  case p_keys
    when 'members' then
      v_keys := array(select u.uid from app.users as u where u.uid >= p_from order by u.uid limit v_limit);
    when 'orders' then
      if p_since > '-infinity' then
        v_keys := array(select o.id from app.orders_since(p_since) as o (id) where o.id >= p_from order by o.id limit v_limit);
      else
        v_keys := array(select o.id from app.orders as o where o.id >= p_from order by o.id limit v_limit);
      end if;
    when 'days' then
      v_keys := array(
        select r.release_date - date '2000-01-01' from app.release_runs as r
        where r.release_date >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by r.release_date limit v_limit
      );
    when 'months' then
      v_keys := array(select c.month - date '2000-01-01' from app.closed_months as c where c.month >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by c.month limit v_limit);
    else
      v_keys := array(select n.key from generate_series(greatest(p_from, 1), app.sample_size(), 1) as n (key) order by n.key limit v_limit);
  end case;
  return case when cardinality(v_keys) < v_limit then 9223372036854775807 else v_keys[v_limit] end;
end
$$;

comment on function app.next_keys is
  'Returns the last key of the slice of a check that begins with p_from and has at most p_batch keys; the last slice has no end. '
  'With p_since, only orders, days and months since then count.';
