-- Where the rows of the bill stand: whoever reads the bill reads this function, not the table.

-- Has no set clause, so that the planner can inline it: a statement that reads a period leaves out what does not reach into it.
-- Security invoker: reads with the rights of the caller.
create or replace function app.bill(p_from timestamptz, p_to timestamptz)
returns setof app.user_bill
language sql
stable
parallel safe
as $$
  select b.* from app.user_bill as b where b.add_time >= p_from and b.add_time < p_to
  union all
  select a.* from archive.user_bill as a where a.add_time >= p_from and a.add_time < p_to
$$;

comment on function app.bill is
  'Returns the rows of the bill from p_from until before p_to, wherever they stand. Statements that by their nature read only rows of the table name it, with the reason.';

grant execute on function app.bill(timestamptz, timestamptz) to authenticated, store_admin;
