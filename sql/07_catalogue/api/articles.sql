-- What clients may call about articles and categories.

create or replace function api.get_article(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
begin
  perform app.require_admin(null);
  select a.* into v_article from app.articles as a where a.id = p_id and a.is_del = 0;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return app.article_json(v_article) || jsonb_build_object('content', v_article.content);
end
$$;

comment on function api.get_article is 'Returns one article with its content. Serves GET /adminapi/article/{id}.';

grant execute on function api.get_article(bigint) to store_admin;

-- Locks: the category (shared), then the article pool.
create or replace function api.create_article(
  p_cid bigint, p_title text, p_author text default '', p_image_input text default '', p_synopsis text default '',
  p_content text default '', p_url text default '', p_status smallint default 1::smallint,
  p_hidden smallint default 0::smallint
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_article_category(p_cid);
  insert into app.articles (cid, title, author, image_input, synopsis, content, url, status, hidden, updated_by)
  values (p_cid, p_title, p_author, p_image_input, p_synopsis, p_content, p_url, p_status, p_hidden, auth.uid())
  returning * into v_article;
  perform app.record_action(
    'create_article', 'article', v_article.id::text, null, app.article_record(v_article),
    '{cid, status, hidden, is_del}'
  );
  return api.get_article(v_article.id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_article is 'Creates an article and returns it. Serves POST /adminapi/article.';

grant execute on function api.create_article(
  bigint, text, text, text, text, text, text, smallint, smallint
) to store_admin;

create or replace function api.get_article_category(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_category app.article_categories;
begin
  perform app.require_admin(null);
  select c.* into v_category from app.article_categories as c where c.id = p_id and not c.is_del;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  return app.article_category_json(v_category);
end
$$;

comment on function api.get_article_category is
  'Returns one article category. Serves GET /adminapi/article_category/{id}.';

grant execute on function api.get_article_category(bigint) to store_admin;

-- Locks: the table of categories against other writers, if the flag moves (see app.clear_sign_in_flag).
create or replace function api.create_article_category(
  p_title text, p_is_sign_in_ad boolean default false, p_hidden boolean default false
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_taken_from bigint;
  v_id bigint;
  v_constraint text;
begin
  perform app.require_admin('content');
  if p_is_sign_in_ad then
    v_taken_from := app.clear_sign_in_flag(auth.uid(), clock_timestamp());
  end if;
  insert into app.article_categories (title, is_sign_in_ad, hidden, updated_by)
  values (p_title, p_is_sign_in_ad, p_hidden, auth.uid())
  returning id into v_id;
  perform app.record_action(
    'create_article_category', 'article_category', v_id::text, null,
    jsonb_build_object('title', p_title, 'is_sign_in_ad', p_is_sign_in_ad, 'hidden', p_hidden)
      || case when v_taken_from is not null then jsonb_build_object('taken_from', v_taken_from) else '{}' end,
      '{is_sign_in_ad, hidden, taken_from}'
  );
  return api.get_article_category(v_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_article_category is
  'Creates an article category and returns it. With p_is_sign_in_ad, it takes the flag from the category that had it. '
  'Serves POST /adminapi/article_category.';

grant execute on function api.create_article_category(text, boolean, boolean) to store_admin;

-- Locks: the article pool, then the article.
-- Idempotent: an article is deleted once. A second call raises article_not_found.
create or replace function api.delete_article(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.articles;
begin
  perform app.require_admin('content');
  v_before := app.lock_article(p_id);
  update app.articles as a set is_del = 1, updated_at = clock_timestamp(), updated_by = auth.uid() where a.id = p_id;
  perform app.record_action(
    'delete_article', 'article', p_id::text, app.article_record(v_before), null, '{cid, status, hidden, is_del}'
  );
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_article is 'Marks an article as deleted. Serves DELETE /adminapi/article/{id}.';

grant execute on function api.delete_article(bigint) to store_admin;

-- A category that still has articles is not deleted, so that no article disappears unnoticed (decision 0012). Hiding
-- the category instead takes its articles from the sign-in gate and can be undone.
-- Locks: the table of categories against other writers (see app.clear_sign_in_flag), then the category, which a
-- transaction that puts an article into it holds in shared mode.
-- Idempotent: a category is deleted once. A second call raises article_category_not_found.
create or replace function api.delete_article_category(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.article_categories;
begin
  perform app.require_admin('content');
  lock table app.article_categories in share row exclusive mode;
  select c.* into v_before from app.article_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('article_category_not_found');
  elsif exists (select from app.articles as a where a.cid = p_id and a.is_del = 0) then
    perform app.fail('article_category_in_use');
  end if;
  update app.article_categories set is_del = true, is_sign_in_ad = false, updated_at = clock_timestamp(),
    updated_by = auth.uid()
  where id = p_id;
  perform app.record_action(
    'delete_article_category', 'article_category', p_id::text,
    jsonb_build_object('is_sign_in_ad', v_before.is_sign_in_ad, 'hidden', v_before.hidden), null
  );
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_article_category is
  'Marks a category without articles as deleted. Serves DELETE /adminapi/article_category/{id}.';

grant execute on function api.delete_article_category(bigint) to store_admin;

create or replace function api.get_article_categories(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return (
    with matching as not materialized (select c.* from app.article_categories as c where not c.is_del)
    select app.list_json(jsonb_agg(app.article_category_json(l) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as l
  );
end
$$;

comment on function api.get_article_categories is
  'Returns one page of the article categories, newest first. Serves GET /adminapi/article_category.';

grant execute on function api.get_article_categories(integer, integer) to store_admin;

create or replace function api.get_articles(
  p_cid bigint default null, p_search text default null, p_status smallint default null, p_hidden smallint default null,
  p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return (
    with matching as not materialized (
      select a.* from app.articles as a
      where a.is_del = 0 and (p_cid is null or a.cid = p_cid) and (p_status is null or a.status = p_status)
        and (p_hidden is null or a.hidden = p_hidden)
        and (p_search is null or position(lower(p_search) in lower(a.title)) > 0)
    )
    select app.list_json(jsonb_agg(app.article_json(l) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as l
  );
end
$$;

comment on function api.get_articles is
  'Returns one page of the articles without their content, newest first. Serves GET /adminapi/article.';

grant execute on function api.get_articles(bigint, text, smallint, smallint, integer, integer) to store_admin;

create or replace function api.get_readable_article(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result jsonb;
begin
  select app.read_article_json(a) into v_result
  from app.articles as a join app.article_categories as c on c.id = a.cid
  where a.id = p_id and a.status = 1 and a.is_del = 0 and a.hidden = 0 and not c.hidden and not c.is_del;
  if v_result is null then
    perform app.fail('article_not_found');
  end if;
  return v_result;
end
$$;

comment on function api.get_readable_article is
  'Returns an article that may be read, with its content. Serves GET /api/article/{id}.';

grant execute on function api.get_readable_article(bigint) to anon, authenticated, store_admin;

-- The cost does not depend on the number of articles: one index lookup finds the highest slot of the category and one
-- finds the slot that was drawn. Slots have no gaps in any snapshot (app.keep_article_pool, decision 0015). PL/pgSQL
-- instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function api.get_required_article()
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    with drawn as materialized (
      -- Materialized, so that random() is called once and not for every row that is compared.
      select c.id as cid, 1 + floor(random() * last.slot)::bigint as slot
      from app.article_categories as c
      cross join lateral (
        select p.slot from app.article_pool as p where p.cid = c.id order by p.slot desc limit 1
      ) as last
      where c.is_sign_in_ad and not c.hidden and not c.is_del
    )
    select app.read_article_json(a)
    from drawn as d
    join app.article_pool as p on p.cid = d.cid and p.slot = d.slot
    join app.articles as a on a.id = p.article_id
  );
end
$$;

comment on function api.get_required_article is
  'Returns one random article of the sign-in category, each with the same probability, or null. Serves GET '
  '/api/sign/required_article.';

grant execute on function api.get_required_article() to anon, authenticated, store_admin;

-- Locks: the new category (shared), then the article pool, then the article.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_article(
  p_id bigint, p_cid bigint default null, p_title text default null, p_author text default null,
  p_image_input text default null,
  p_synopsis text default null, p_content text default null, p_url text default null, p_status smallint default null,
  p_hidden smallint default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.articles;
  v_after app.articles;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_article_category(p_cid) where p_cid is not null;
  v_before := app.lock_article(p_id);
  update app.articles as a
  set cid = coalesce(p_cid, a.cid), title = coalesce(p_title, a.title), author = coalesce(p_author, a.author),
      image_input = coalesce(p_image_input, a.image_input), synopsis = coalesce(p_synopsis, a.synopsis),
      content = coalesce(p_content, a.content), url = coalesce(p_url, a.url), status = coalesce(p_status, a.status),
      hidden = coalesce(p_hidden, a.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where a.id = p_id
  returning a.* into v_after;
  perform app.record_action(
    'set_article', 'article', p_id::text, app.article_record(v_before), app.article_record(v_after),
    '{cid, status, hidden, is_del}'
  );
  return api.get_article(p_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_article is
  'Changes the given fields of an article and returns it; null leaves a field as it is. Serves PUT '
  '/adminapi/article/{id}.';

grant execute on function api.set_article(
  bigint, bigint, text, text, text, text, text, text, smallint, smallint
) to store_admin;

-- Locks: the table of categories (see app.clear_sign_in_flag), then the category.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_article_category(
  p_id bigint, p_title text default null, p_is_sign_in_ad boolean default null, p_hidden boolean default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_flagged bigint;
  v_before app.article_categories;
  v_after app.article_categories;
  v_constraint text;
begin
  perform app.require_admin('content');
  if p_is_sign_in_ad then
    v_flagged := app.clear_sign_in_flag(auth.uid(), clock_timestamp());
  else
    -- Take the table lock of the update below before the row lock: a transaction that moves the flag then blocks this
    -- one before it holds a row, so that the two cannot deadlock.
    lock table app.article_categories in row exclusive mode;
  end if;
  select c.* into v_before from app.article_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  update app.article_categories as c
  set title = coalesce(p_title, c.title), is_sign_in_ad = coalesce(p_is_sign_in_ad, c.is_sign_in_ad),
      hidden = coalesce(p_hidden, c.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where c.id = p_id
  returning c.* into v_after;
  perform app.record_action(
    'set_article_category', 'article_category', p_id::text,
    jsonb_build_object(
      'title', v_before.title, 'is_sign_in_ad', v_before.is_sign_in_ad or v_flagged is not distinct from p_id, 'hidden',
      v_before.hidden
    ),
    jsonb_build_object('title', v_after.title, 'is_sign_in_ad', v_after.is_sign_in_ad, 'hidden', v_after.hidden)
      || case when v_flagged <> p_id then jsonb_build_object('taken_from', v_flagged) else '{}' end,
    '{is_sign_in_ad, hidden, taken_from}'
  );
  return api.get_article_category(p_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_article_category is
  'Changes the given fields of a category and returns it; null leaves a field as it is. With p_is_sign_in_ad, it takes '
  'the flag from the category that had it. Serves PUT /adminapi/article_category/{id}.';

grant execute on function api.set_article_category(bigint, text, boolean, boolean) to store_admin;
