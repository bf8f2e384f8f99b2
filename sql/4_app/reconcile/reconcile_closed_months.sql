create or replace function app.reconcile_closed_months(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_month app.closed_months;
begin
  for v_month in
    select c.* from app.closed_months as c where c.month between app.day_of_key(p_from) and app.day_of_key(p_to) and c.begins_at >= app.archived_until('user_bill')
    order by c.month
  loop
    return query
      select 'closed_month_equals_its_rows', to_char(v_month.month, 'YYYY-MM'), v_month.sums::text, s.sums::text
      from (select app.bill_sums(v_month.begins_at, v_month.ends_at) as sums) as s
      where s.sums <> v_month.sums;
    return query
      select 'closed_month_rejects_rows', to_char(v_month.month, 'YYYY-MM'), 'a constraint', format('none on %s', p.part)
      from app.partitions_of(v_month.begins_at, v_month.ends_at) as p (part)
      where not exists (
        select from pg_constraint as c where c.conrelid = p.part and c.conname = to_char(v_month.month, '"month_"YYYY_MM"_is_closed"')
      );
  end loop;
end
$$;

comment on function app.reconcile_closed_months is
  'Finds closed months whose sums are not those of their bill rows, and partitions of the bill that would accept a row of a closed month. '
  'Months that are archived, in whole or in part, are left out.';
