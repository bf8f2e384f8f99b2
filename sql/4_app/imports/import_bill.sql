-- Idempotent: a row that is imported already is left as it is.
create or replace function app.import_bill(p_source text, p_after integer, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_last integer;
  v_written integer;
begin
  select max(b.line) into v_last
  from (select s.line from app.staged_bill as s where s.source = p_source and s.line > p_after order by s.line limit p_limit) as b;
  insert into app.imported_bill (source, old_id, uid, type, title, is_income, amount, balance, order_ref, add_time, note)
  select
    s.source, s.id, m.uid, s.type, left(coalesce(s.title, ''), 1000), s.is_income::boolean, s.amount::numeric, s.balance::numeric, s.order_ref,
    app.import_time(s.happened_at, v_zone), left(coalesce(s.note, ''), 1000)
  from app.staged_bill as s
  join app.imported_members as m on m.old_uid = s.uid::bigint
  where s.source = p_source and s.line > p_after and s.line <= v_last
  on conflict do nothing;
  get diagnostics v_written = row_count;
  update app.imports set bill_rows = bill_rows + v_written where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_bill is
  'Copies the next p_limit staged bill rows of a file after a line into app.imported_bill, outside the ledger, and returns the last '
  'line, or null if none was left.';
