-- Has no set clause, so that the planner can inline it.
create or replace function app.matures_at(p_received_at timestamptz, p_settled_at timestamptz, p_holding_days integer)
returns timestamptz
language sql
immutable
parallel safe
as $$
  select case when p_received_at is not null then greatest(p_received_at, p_settled_at) + p_holding_days * interval '24 hours' end
$$;

comment on function app.matures_at is
  'Returns when the commission of an order matures: p_holding_days after the later of receipt and settlement. Null for an order that is not '
  'received: its commission does not mature until then.';
