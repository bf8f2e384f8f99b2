create or replace function app.chain_at(p_uid bigint, p_position bigint)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive chain as (
    select u.uid, u.spread_uid, u.spread_position, 0 as depth from app.users as u where u.uid = p_uid
    union all
    select r.uid, r.spread_uid, r.spread_position, c.depth + 1
    from chain as c join app.users as r on r.uid = c.spread_uid
    where c.spread_position < p_position
  )
  select array_agg(c.uid order by c.depth) from chain as c
$$;

comment on function app.chain_at is 'Returns a member and their upline as it was at a position, nearest first.';
