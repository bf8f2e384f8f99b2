-- Articles, categories, and the pool of the sign-in gate.

create or replace function app.article_category_json(p_category app.article_categories)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_category.id, 'title', p_category.title, 'is_sign_in_ad', p_category.is_sign_in_ad, 'hidden',
    p_category.hidden,
    -- The slots of a category are 1 to n without a gap, so the highest is their number.
    'readable_articles', coalesce((select max(p.slot) from app.article_pool as p where p.cid = p_category.id), 0),
    'add_time', app.utc(p_category.add_time), 'updated_at', app.utc(p_category.updated_at),
    'updated_by', app.actor_json(p_category.updated_by)
  )
$$;

comment on function app.article_category_json is 'Returns an article category as administrators see it.';

grant execute on function app.article_category_json(app.article_categories) to store_admin;

create or replace function app.article_json(p_article app.articles)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_article.id, 'cid', p_article.cid, 'title', p_article.title, 'author', p_article.author,
    'image_input', p_article.image_input, 'synopsis', p_article.synopsis, 'url', p_article.url,
    'status', p_article.status, 'hidden', p_article.hidden, 'add_time', app.utc(p_article.add_time),
    'updated_at', app.utc(p_article.updated_at), 'updated_by', app.actor_json(p_article.updated_by)
  )
$$;

comment on function app.article_json is 'Returns an article as administrators see it in lists, without its content.';

grant execute on function app.article_json(app.articles) to store_admin;

create or replace function app.read_article_json(p_article app.articles)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_article.id, 'cid', p_article.cid, 'title', p_article.title, 'author', p_article.author, 'image_input',
    p_article.image_input,
    'synopsis', p_article.synopsis, 'content', p_article.content, 'url', p_article.url, 'add_time',
    app.utc(p_article.add_time)
  )
$$;

comment on function app.read_article_json is 'Returns an article as its readers see it.';

grant execute on function app.read_article_json(app.articles) to anon, authenticated, store_admin;

create or replace function app.article_record(p_article app.articles)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(p_article) - '{id, add_time}'::text[]
$$;

comment on function app.article_record is 'Returns an article for app.record_action.';

-- Locks: app.article_categories against concurrent changes, so that administrators who move the flag do so one after
-- the other. Readers and writers of articles do not wait.
create or replace function app.clear_sign_in_flag(p_changed_by uuid, p_now timestamptz)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id bigint;
begin
  lock table app.article_categories in share row exclusive mode;
  update app.article_categories set is_sign_in_ad = false, updated_at = p_now, updated_by = p_changed_by
  where is_sign_in_ad
  returning id into v_id;
  return v_id;
end
$$;

comment on function app.clear_sign_in_flag is
  'Clears the sign-in flag of the category that has it and returns its id, or null. The caller sets it on another one.';

-- Precondition: the transaction holds the lock of app.lock_article_pool.
create or replace function app.enter_article_pool(p_cids bigint[], p_article_ids bigint[])
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with entering as materialized (
    select e.cid, e.id from unnest(p_cids, p_article_ids) as e (cid, id)
  ), ends as materialized (
    -- Materialized before the first insert: finding the last old entry behind a million new ones would take a million
    -- steps.
    select c.cid, coalesce((select max(p.slot) from app.article_pool as p where p.cid = c.cid), 0) as slot
    from (select distinct e.cid from entering as e) as c
  )
  insert into app.article_pool (cid, slot, article_id)
  select e.cid, d.slot + row_number() over (partition by e.cid order by e.id), e.id
  from entering as e
  join ends as d on d.cid = e.cid
$$;

comment on function app.enter_article_pool is
  'Adds articles to the article pool, each after the last one of its category.';

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
      delete from app.article_pool as p using unnest(p_article_ids) as i (id) where p.article_id = i.id
      returning p.cid, p.slot
    )
    select g.cid, array_agg(g.slot order by g.slot) as gaps, max(g.slot) as last_gap from gone as g group by g.cid
    order by g.cid
  loop
    -- The last slot after the removal: the last one before it, less the number of removed articles.
    select greatest(max(p.slot), v_left.last_gap) - cardinality(v_left.gaps) into v_last
    from app.article_pool as p where p.cid = v_left.cid;
    -- There are as many articles after the new end as gaps before it. With outdated statistics, the planner expects one
    -- article in the category. Gaps are therefore addressed by their index in the array, and articles by their id
    -- alone: joins by the category would be nested loops over all its articles.
    update app.article_pool as p set slot = v_left.gaps[behind.number]
    from (
      select q.article_id, row_number() over (order by q.slot) as number
      from app.article_pool as q
      where q.cid = v_left.cid and q.slot > v_last
    ) as behind
    where p.article_id = behind.article_id;
  end loop;
end
$$;

comment on function app.leave_article_pool is
  'Removes articles from the article pool. The last ones of each category move into the gaps.';

-- Precondition: the trigger app.lock_article_pool has locked app.article_pool_guard before the statement.
-- Row order: the arrays are sets, or pairs: two aggregates of one query read its rows in one sequence.
create or replace function app.keep_article_pool()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    perform app.enter_article_pool(array_agg(n.cid), array_agg(n.id))
    from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0;
  elsif tg_op = 'DELETE' then
    perform app.leave_article_pool(array_agg(o.id)) from old_articles as o;
  elsif tg_op = 'TRUNCATE' then
    delete from app.article_pool where true;
  else
    -- One query plan of EXCEPT suits one article and a million. The cached plan of a join would be the one for the
    -- first statement.
    perform app.leave_article_pool(array_agg(l.id)) from (
      select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
      except select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
    ) as l;
    perform app.enter_article_pool(array_agg(e.cid), array_agg(e.id)) from (
      select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
      except select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
    ) as e;
  end if;
  return null;
end
$$;

comment on function app.keep_article_pool is 'Trigger: keeps in the article pool the articles that may be read.';

create trigger the_pool_follows_new_articles after insert on app.articles
  referencing new table as new_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_follows_changed_articles after update on app.articles
  referencing old table as old_articles new table as new_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_follows_deleted_articles after delete on app.articles
  referencing old table as old_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_is_emptied_with_the_articles after truncate on app.articles
  for each statement execute function app.keep_article_pool();

-- Locks: the article pool, then the article. With this order no transaction that holds an article waits for the pool.
create or replace function app.lock_article(p_id bigint)
returns app.articles
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
begin
  perform from app.article_pool_guard as g for update;
  select a.* into v_article from app.articles as a where a.id = p_id and a.is_del = 0 for update;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return v_article;
end
$$;

comment on function app.lock_article is
  'Locks the article pool and an article, and returns the article. Raises article_not_found.';

-- Runs before the statement, so that the pool is locked before any article. The row is updated, not only locked: a
-- transaction whose snapshot is older than the last change then fails with serialization_failure instead of numbering
-- from outdated rows. Only the first statement of a transaction updates it, so that bulk loads stay cheap.
-- Locks: app.article_pool_guard.
-- Idempotent: a second call in a transaction changes nothing.
create or replace function app.lock_article_pool()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.article_pool_guard set changed_in = txid_current() where changed_in <> txid_current();
  return null;
end
$$;

comment on function app.lock_article_pool is
  'Trigger: locks the article pool, until the end of the transaction, before a statement that may change which '
  'articles can be read.';

create trigger inserts_lock_the_pool_first before insert on app.articles
  for each statement execute function app.lock_article_pool();
create trigger changes_lock_the_pool_first before update of cid, status, is_del, hidden on app.articles
  for each statement execute function app.lock_article_pool();
create trigger deletes_lock_the_pool_first before delete on app.articles
  for each statement execute function app.lock_article_pool();
create trigger truncates_lock_the_pool_first before truncate on app.articles
  for each statement execute function app.lock_article_pool();

-- Locks: the category, for share.
create or replace function app.require_article_category(p_cid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.article_categories as c where c.id = p_cid and not c.is_del for share;
  if not found then
    perform app.fail('invalid_argument', 'cid is not the id of an article category.');
  end if;
end
$$;

comment on function app.require_article_category is
  'Raises invalid_argument unless articles can be put into this category, and keeps it from being deleted until the '
  'end of the transaction.';
