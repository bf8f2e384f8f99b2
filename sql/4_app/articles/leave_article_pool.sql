-- Takes articles out of the pool. The last articles of each category move into the gaps, so the numbers stay 1 to n; the
-- work depends on how many leave, not on how many there are.
-- Callers: the triggers that keep the pool, under the lock of lock_article_pool. Safe twice: who is not in it is passed over.
create or replace function app.leave_article_pool(p_article_ids bigint[])
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left record;
  v_last bigint;
begin
  for v_left in
    with gone as (
      -- Joined, not compared with the array: that would go through the whole array for every row.
      delete from app.article_pool as p using unnest(p_article_ids) as i (id) where p.article_id = i.id returning p.cid, p.slot
    )
    select g.cid, array_agg(g.slot order by g.slot) as gaps, max(g.slot) as last_gap from gone as g group by g.cid
  loop
    -- The last number there was, less as many as left.
    select greatest(max(p.slot), v_left.last_gap) - cardinality(v_left.gaps) into v_last
    from app.article_pool as p where p.cid = v_left.cid;
    -- As many articles stand behind the new end as there are gaps before it. The gaps are taken by their place in the array: a join
    -- with them goes through all of them for each article where the statistics of the table are older than its rows.
    update app.article_pool as p set slot = v_left.gaps[behind.place]
    from (
      select q.slot, row_number() over (order by q.slot) as place
      from app.article_pool as q
      where q.cid = v_left.cid and q.slot > v_last
    ) as behind
    where p.cid = v_left.cid and p.slot = behind.slot;
  end loop;
end
$$;
