-- The cost depends on the number of articles that leave, not on the size of the pool.
-- Precondition: the transaction holds the lock of app.lock_article_pool.
-- Idempotent: articles that are not in the pool are skipped.
create or replace function app.leave_article_pool(p_article_ids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left record;
  v_last bigint;
begin
  for v_left in
    with gone as (
      -- A join, because a comparison with the array would search the whole array for every row.
      delete from app.article_pool as p using unnest(p_article_ids) as i (id) where p.article_id = i.id returning p.cid, p.slot
    )
    select g.cid, array_agg(g.slot order by g.slot) as gaps, max(g.slot) as last_gap from gone as g group by g.cid
  loop
    -- The last slot after the removal: the last one before it, less the number of removed articles.
    select greatest(max(p.slot), v_left.last_gap) - cardinality(v_left.gaps) into v_last
    from app.article_pool as p where p.cid = v_left.cid;
    -- There are as many articles after the new end as gaps before it. With outdated statistics, the planner expects one article in
    -- the category. Gaps are therefore addressed by their index in the array, and articles by their id alone: joins by the category
    -- would be nested loops over all its articles.
    update app.article_pool as p set slot = v_left.gaps[behind.place]
    from (
      select q.article_id, row_number() over (order by q.slot) as place
      from app.article_pool as q
      where q.cid = v_left.cid and q.slot > v_last
    ) as behind
    where p.article_id = behind.article_id;
  end loop;
end
$$;

comment on function app.leave_article_pool is
  'Removes articles from the article pool. The last articles of each category move into the gaps, so that slots stay 1 to n.';
