-- Has no set clause, so that the planner can inline it.
create or replace function app.is_earned(p_type text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_type in (
    'brokerage', 'brokerage_reversal', 'frozen_points_brokerage', 'frozen_points_reversal', 'frozen_points_release', 'opening_balance'
  )
$$;

comment on function app.is_earned is
  'Returns whether bill rows of a type count towards total_brokerage and total_points_earned. What a member withdraws or spends, '
  'and what an administrator adjusts, does not. A release adds nothing, because it takes as many frozen points as it gives.';

grant execute on function app.is_earned(text) to authenticated, store_admin;
