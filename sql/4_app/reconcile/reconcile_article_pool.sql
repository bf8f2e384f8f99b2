create or replace function app.reconcile_article_pool()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'article_pool_holds_what_may_be_read', format('article %s', coalesce(a.id, p.article_id)),
    coalesce(format('category %s', a.cid), 'in no pool'), coalesce(format('category %s', p.cid), 'in no pool')
  from (select b.id, b.cid from app.articles as b where b.status = 1 and b.is_del = 0 and b.hidden = 0) as a
  full join app.article_pool as p on p.article_id = a.id and p.cid = a.cid
  where a.id is null or p.article_id is null
  union all
  select 'article_pool_has_no_gap', format('category %s', p.cid), count(*)::text, max(p.slot)::text
  from app.article_pool as p
  group by p.cid
  having count(*) <> max(p.slot)
$$;

comment on function app.reconcile_article_pool is
  'Finds published articles without a slot in the article pool, slots without such an article, and categories whose slots have '
  'a gap.';
