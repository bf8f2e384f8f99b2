-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument, data_corrupted, lock_not_available.
-- Idempotent: attached months are left as they are.
create or replace procedure app.attach_months(p_table text, p_from text)
language plpgsql
as $$
declare
  v_first pg_catalog.date := app.month_start(p_from);
  v_month pg_catalog.date;
begin
  loop
    select pg_catalog.max(a.month) into v_month from app.archived_months as a where a.table_name = p_table and a.month >= v_first;
    exit when v_month is null;
    perform app.attach_month(p_table, v_month);
    commit;
    raise notice '% % is attached', p_table, pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
end
$$;

comment on procedure app.attach_months is
  'Attaches the archived months of the bill, the release log or the action log from a month (YYYY-MM) on, the last one first.';
