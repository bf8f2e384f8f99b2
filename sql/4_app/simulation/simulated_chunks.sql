create or replace function app.simulated_chunks(
  p_orders app.simulated_order[], p_uids bigint[], p_start bigint, p_from timestamptz, p_to timestamptz, p_plan app.commission_plans,
  p_levels jsonb
)
returns table (facts app.order_facts[], events app.tree_event[], levels app.level_rule[])
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with versioned as (
    select
      t.ordinal, t.fact, t.event,
      case when p_levels is not null and (t.fact).kind = 'settle' and (t.fact).paid_at >= p_from then 0 else t.level_version end as level_version,
      count(t.level_version) over (order by t.ordinal) as piece
    from app.simulated_timeline(p_orders, p_uids, p_start, p_from, p_to, p_plan) as t
  ),
  -- Other events belong to the settlement before them.
  filled as (
    select v.ordinal, v.fact, v.event, max(v.level_version) over (partition by v.piece) as level_version from versioned as v
  ),
  compared as (
    select f.*, lag(f.level_version) over (order by f.ordinal) is distinct from f.level_version or f.ordinal % 5000 = 0
      or (f.event).kind = 'refer' and lag((f.event).kind) over (order by f.ordinal) is distinct from 'refer' as begins
    from filled as f
  ),
  numbered as (
    select c.*, count(*) filter (where c.begins) over (order by c.ordinal) as chunk from compared as c
  )
  select
    coalesce(array_agg(n.fact order by n.ordinal) filter (where (n.fact).kind is not null), '{}'),
    coalesce(array_agg(n.event order by n.ordinal) filter (where (n.event).kind is not null), '{}'),
    case
      when max(n.level_version) = 0 then app.level_rules(p_levels, true)
      else (
        select app.level_rules(l.levels, true) from app.level_versions as l
        where l.version = max(n.level_version) or max(n.level_version) is null
        order by l.version desc limit 1
      )
    end
  from numbered as n
  group by n.chunk
  order by n.chunk
$$;

comment on function app.simulated_chunks is
  'Splits the timeline of a simulation into chunks of at most 5,000 steps, each with one version of the level settings. A new '
  'chunk begins where a member gets a referrer. Draft levels (p_levels, null: none) apply to orders paid from the start of the '
  'period; other orders have the levels that they were settled with.';
