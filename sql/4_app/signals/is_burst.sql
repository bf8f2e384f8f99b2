-- Has no set clause, so that the planner can inline it.
create or replace function app.is_burst(p_begins_at timestamptz, p_ends_at timestamptz)
returns boolean
language sql
stable
parallel safe
as $$
  select p_begins_at > p_ends_at - interval '1 hour' and p_begins_at <= p_ends_at
$$;

comment on function app.is_burst is
  'Returns whether app.burst_size() sign-ups are a burst, by the times of the first and the last: less than an hour lies between them.';
