-- What changes in the task counters of a chain, for everyone below the top grade: the orders and members of the one it
-- stands above (direct for the referrer, umbrella for all) and what stands below that one (umbrella for all).
-- Amounts may be negative. p_upline: the chain as upline_shares gives it, with the grades held now.
-- Callers: order_counts, set_no_assess, bind_spread; book_entries writes it. Reads nothing.
-- With the generic plan, which is kept: see get_upline.
create or replace function app.upline_counts(
  p_upline app.upline_member[],
  p_orders integer,
  p_members integer,
  p_orders_below integer default 0,
  p_members_below integer default 0
)
returns app.member_change[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (
      a.uid, 0,
      case when a.depth = 1 then p_orders else 0 end, p_orders + p_orders_below,
      case when a.depth = 1 then p_members else 0 end, p_members + p_members_below, 0, null, null, null
    )::app.member_change
    from unnest(p_upline) as a
    where a.is_below_top
  );
end
$$;
