-- Precondition: the transaction holds the lock of app.lock_article_pool.
-- Raises: unique_violation, if an article is in the pool already.
create or replace function app.enter_article_pool(p_cids bigint[], p_article_ids bigint[])
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with entering as materialized (
    select e.cid, e.id from unnest(p_cids, p_article_ids) as e (cid, id)
  ), ends as materialized (
    -- Materialized before the first insert: finding the last old entry behind a million new ones would take a million steps.
    select c.cid, coalesce((select max(p.slot) from app.article_pool as p where p.cid = c.cid), 0) as slot
    from (select distinct e.cid from entering as e) as c
  )
  insert into app.article_pool (cid, slot, article_id)
  select e.cid, d.slot + row_number() over (partition by e.cid order by e.id), e.id
  from entering as e
  join ends as d on d.cid = e.cid
$$;

comment on function app.enter_article_pool is 'Adds articles to the article pool, each after the last one of its category.';
