SET local check_function_bodies = off;

ALTER TABLE "app"."article_categories"
  ADD COLUMN "updated_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "app"."article_categories"
  ADD COLUMN "updated_by" uuid;

ALTER TABLE "app"."articles"
  ADD COLUMN "updated_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "app"."articles"
  ADD COLUMN "updated_by" uuid;

ALTER TABLE "app"."products"
  ADD COLUMN "updated_by" uuid;

CREATE OR REPLACE FUNCTION api.admin_get_product (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_product app.products;
begin
  select p.* into v_product from app.products as p where p.id = p_id and not p.is_del;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.admin_product_json(v_product);
end
$function$;

CREATE OR REPLACE FUNCTION api.admin_get_products (
  p_search         text    DEFAULT NULL::text,
  p_is_show        boolean DEFAULT NULL::boolean,
  p_is_queue_goods boolean DEFAULT NULL::boolean,
  p_page           integer DEFAULT 1,
  p_limit          integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with matching as (
    select p.id from app.products as p
    where not p.is_del and (p_is_show is null or p.is_show = p_is_show)
      and (p_is_queue_goods is null or p.is_queue_goods = p_is_queue_goods)
      and (p_search is null or position(lower(p_search) in lower(p.title)) > 0)
  )
  select jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.admin_product_json(p) order by p.id desc)
      from (select m.id from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as g
      join app.products as p on p.id = g.id
    ), '[]'),
    'count', (select count(*) from matching)
  )
$function$;

CREATE OR REPLACE FUNCTION api.create_article (
  p_cid         bigint,
  p_title       text,
  p_author      text     DEFAULT ''::text,
  p_image_input text     DEFAULT ''::text,
  p_synopsis    text     DEFAULT ''::text,
  p_content     text     DEFAULT ''::text,
  p_url         text     DEFAULT ''::text,
  p_status      smallint DEFAULT (1)::smallint,
  p_hidden      smallint DEFAULT (0)::smallint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_id bigint;
  v_constraint text;
begin
  perform app.require_admin();
  perform app.require_article_category(p_cid);
  insert into app.articles (cid, title, author, image_input, synopsis, content, url, status, hidden, updated_by)
  values (p_cid, p_title, p_author, p_image_input, p_synopsis, p_content, p_url, p_status, p_hidden, auth.uid())
  returning id into v_id;
  return api.get_article(v_id);
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION api.create_article_category (
  p_title         text,
  p_is_sign_in_ad boolean DEFAULT false,
  p_hidden        boolean DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_id bigint;
  v_constraint text;
begin
  perform app.require_admin();
  perform app.clear_sign_in_flag(auth.uid(), clock_timestamp()) where p_is_sign_in_ad;
  insert into app.article_categories (title, is_sign_in_ad, hidden, updated_by)
  values (p_title, p_is_sign_in_ad, p_hidden, auth.uid())
  returning id into v_id;
  return api.get_article_category(v_id);
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION api.create_product (
  p_title          text,
  p_price          numeric,
  p_freight        numeric DEFAULT 0,
  p_is_queue_goods boolean DEFAULT false,
  p_is_show        boolean DEFAULT true
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin();
  insert into app.products (title, price, freight, is_queue_goods, is_show, updated_by)
  values (p_title, p_price, p_freight, p_is_queue_goods, p_is_show, auth.uid())
  returning * into v_product;
  return app.admin_product_json(v_product);
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION api.delete_article (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  update app.articles as a set is_del = 1, updated_at = clock_timestamp(), updated_by = auth.uid()
  where a.id = p_id and a.is_del = 0;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$function$;

CREATE OR REPLACE FUNCTION api.delete_article_category (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  lock table app.article_categories in share row exclusive mode;
  perform from app.article_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('article_category_not_found');
  elsif exists (select from app.articles as a where a.cid = p_id and a.is_del = 0) then
    perform app.fail('article_category_in_use');
  end if;
  update app.article_categories set is_del = true, is_sign_in_ad = false, updated_at = clock_timestamp(), updated_by = auth.uid()
  where id = p_id;
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$function$;

CREATE OR REPLACE FUNCTION api.get_article (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_article app.articles;
begin
  select a.* into v_article from app.articles as a where a.id = p_id and a.is_del = 0;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return app.article_json(v_article) || jsonb_build_object('content', v_article.content);
end
$function$;

CREATE OR REPLACE FUNCTION api.get_article_categories (
  p_page  integer DEFAULT 1,
  p_limit integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.article_category_json(c) order by c.id desc)
      from (
        select * from app.article_categories as q where not q.is_del
        order by q.id desc offset app.check_page(p_page, p_limit) limit p_limit
      ) as c
    ), '[]'),
    'count', (select count(*) from app.article_categories as q where not q.is_del)
  )
$function$;

CREATE OR REPLACE FUNCTION api.get_article_category (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_category app.article_categories;
begin
  select c.* into v_category from app.article_categories as c where c.id = p_id and not c.is_del;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  return app.article_category_json(v_category);
end
$function$;

CREATE OR REPLACE FUNCTION api.get_articles (
  p_cid    bigint   DEFAULT NULL::bigint,
  p_search text     DEFAULT NULL::text,
  p_status smallint DEFAULT NULL::smallint,
  p_hidden smallint DEFAULT NULL::smallint,
  p_page   integer  DEFAULT 1,
  p_limit  integer  DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with matching as (
    select a.id from app.articles as a
    where a.is_del = 0 and (p_cid is null or a.cid = p_cid) and (p_status is null or a.status = p_status)
      and (p_hidden is null or a.hidden = p_hidden)
      and (p_search is null or position(lower(p_search) in lower(a.title)) > 0)
  )
  select jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.article_json(a) order by a.id desc)
      from (select m.id from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as g
      join app.articles as a on a.id = g.id
    ), '[]'),
    'count', (select count(*) from matching)
  )
$function$;

CREATE OR REPLACE FUNCTION api.set_article (
  p_id          bigint,
  p_cid         bigint   DEFAULT NULL::bigint,
  p_title       text     DEFAULT NULL::text,
  p_author      text     DEFAULT NULL::text,
  p_image_input text     DEFAULT NULL::text,
  p_synopsis    text     DEFAULT NULL::text,
  p_content     text     DEFAULT NULL::text,
  p_url         text     DEFAULT NULL::text,
  p_status      smallint DEFAULT NULL::smallint,
  p_hidden      smallint DEFAULT NULL::smallint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_constraint text;
begin
  perform app.require_admin();
  perform app.require_article_category(p_cid) where p_cid is not null;
  update app.articles as a
  set cid = coalesce(p_cid, a.cid), title = coalesce(p_title, a.title), author = coalesce(p_author, a.author),
      image_input = coalesce(p_image_input, a.image_input), synopsis = coalesce(p_synopsis, a.synopsis),
      content = coalesce(p_content, a.content), url = coalesce(p_url, a.url), status = coalesce(p_status, a.status),
      hidden = coalesce(p_hidden, a.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where a.id = p_id and a.is_del = 0;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return api.get_article(p_id);
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION api.set_article_category (
  p_id            bigint,
  p_title         text    DEFAULT NULL::text,
  p_is_sign_in_ad boolean DEFAULT NULL::boolean,
  p_hidden        boolean DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_constraint text;
begin
  perform app.require_admin();
  perform app.clear_sign_in_flag(auth.uid(), clock_timestamp()) where p_is_sign_in_ad;
  update app.article_categories as c
  set title = coalesce(p_title, c.title), is_sign_in_ad = coalesce(p_is_sign_in_ad, c.is_sign_in_ad),
      hidden = coalesce(p_hidden, c.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where c.id = p_id and not c.is_del;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  return api.get_article_category(p_id);
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION api.set_product (
  p_id             bigint,
  p_title          text    DEFAULT NULL::text,
  p_price          numeric DEFAULT NULL::numeric,
  p_freight        numeric DEFAULT NULL::numeric,
  p_is_queue_goods boolean DEFAULT NULL::boolean,
  p_is_show        boolean DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin();
  update app.products as p
  set title = coalesce(p_title, p.title), price = coalesce(p_price, p.price), freight = coalesce(p_freight, p.freight),
      is_queue_goods = coalesce(p_is_queue_goods, p.is_queue_goods), is_show = coalesce(p_is_show, p.is_show),
      updated_at = clock_timestamp(), updated_by = auth.uid()
  where p.id = p_id and not p.is_del
  returning p.* into v_product;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.admin_product_json(v_product);
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION app.admin_product_json (
  p_product app.products
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select app.product_json(p_product) || jsonb_build_object(
    'updated_at', app.utc(p_product.updated_at), 'updated_by', app.actor_json(p_product.updated_by)
  )
$function$;

CREATE OR REPLACE FUNCTION app.article_category_json (
  p_category app.article_categories
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_category.id, 'title', p_category.title, 'is_sign_in_ad', p_category.is_sign_in_ad, 'hidden', p_category.hidden,
    'readable_articles', coalesce((select max(p.slot) from app.article_pool as p where p.cid = p_category.id), 0),
    'add_time', app.utc(p_category.add_time), 'updated_at', app.utc(p_category.updated_at),
    'updated_by', app.actor_json(p_category.updated_by)
  )
$function$;

CREATE OR REPLACE FUNCTION app.article_json (
  p_article app.articles
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_article.id, 'cid', p_article.cid, 'title', p_article.title, 'author', p_article.author,
    'image_input', p_article.image_input, 'synopsis', p_article.synopsis, 'url', p_article.url,
    'status', p_article.status, 'hidden', p_article.hidden, 'add_time', app.utc(p_article.add_time),
    'updated_at', app.utc(p_article.updated_at), 'updated_by', app.actor_json(p_article.updated_by)
  )
$function$;

CREATE OR REPLACE FUNCTION app.clear_sign_in_flag (
  p_changed_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  lock table app.article_categories in share row exclusive mode;
  update app.article_categories set is_sign_in_ad = false, updated_at = p_now, updated_by = p_changed_by where is_sign_in_ad;
end
$function$;

CREATE OR REPLACE FUNCTION app.fail (
  p_code   text,
  p_detail text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_status text := case p_code
    when 'unauthenticated' then '401'
    when 'forbidden' then '403'
    when 'order_not_found' then '404'
    when 'product_not_found' then '404'
    when 'user_not_found' then '404'
    when 'job_not_found' then '404'
    when 'refund_not_found' then '404'
    when 'crontab_not_found' then '404'
    when 'poster_not_found' then '404'
    when 'article_not_found' then '404'
    when 'article_category_not_found' then '404'
    when 'order_state_conflict' then '409'
    when 'order_already_paid' then '409'
    when 'payment_reference_used' then '409'
    when 'spread_already_bound' then '409'
    when 'refund_state_conflict' then '409'
    when 'refund_reference_used' then '409'
    when 'article_category_in_use' then '409'
    when 'invalid_argument' then '422'
    when 'spread_unknown' then '422'
    when 'spread_is_self' then '422'
    when 'spread_in_own_downline' then '422'
    when 'product_unavailable' then '422'
    when 'refund_exceeds_order' then '422'
    when 'level_unknown' then '422'
    when 'plan_invalid' then '422'
    when 'levels_invalid' then '422'
    when 'simulation_too_large' then '422'
    when 'schedule_unavailable' then '503'
  end;
begin
  raise exception using
    errcode = 'PT' || coalesce(v_status, '500'), message = p_code, detail = coalesce(p_detail, '');
end
$function$;

CREATE OR REPLACE FUNCTION app.refuse_value (
  p_constraint text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform app.fail('invalid_argument', 'A value is refused; what must hold: ' || replace(p_constraint, '_', ' ') || '.');
end
$function$;

CREATE OR REPLACE FUNCTION app.require_article_category (
  p_cid bigint
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from app.article_categories as c where c.id = p_cid and not c.is_del for share;
  if not found then
    perform app.fail('invalid_argument', 'cid names no article category.');
  end if;
end
$function$;

REVOKE ALL ON FUNCTION "api"."admin_get_product"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."admin_get_product"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_product"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_product"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."admin_get_products"(text, boolean, boolean, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."admin_get_products"(text, boolean, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_products"(text, boolean, boolean, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_products"(text, boolean, boolean, integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."create_article"(bigint, text, text, text, text, text, text, smallint, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."create_article"(bigint, text, text, text, text, text, text, smallint, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_article"(bigint, text, text, text, text, text, text, smallint, smallint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_article"(bigint, text, text, text, text, text, text, smallint, smallint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."create_article_category"(text, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."create_article_category"(text, boolean, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_article_category"(text, boolean, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_article_category"(text, boolean, boolean) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."create_product"(text, numeric, numeric, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."create_product"(text, numeric, numeric, boolean, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_product"(text, numeric, numeric, boolean, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_product"(text, numeric, numeric, boolean, boolean) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."delete_article"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."delete_article"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."delete_article"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."delete_article"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."delete_article_category"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."delete_article_category"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."delete_article_category"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."delete_article_category"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_article"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_article"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_article"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_article"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_article_categories"(integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_article_categories"(integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_article_categories"(integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_article_categories"(integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_article_category"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_article_category"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_article_category"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_article_category"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_articles"(bigint, text, smallint, smallint, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_articles"(bigint, text, smallint, smallint, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_articles"(bigint, text, smallint, smallint, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_articles"(bigint, text, smallint, smallint, integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."set_article"(bigint, bigint, text, text, text, text, text, text, smallint, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."set_article"(bigint, bigint, text, text, text, text, text, text, smallint, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_article"(bigint, bigint, text, text, text, text, text, text, smallint, smallint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_article"(bigint, bigint, text, text, text, text, text, text, smallint, smallint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."set_article_category"(bigint, text, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."set_article_category"(bigint, text, boolean, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_article_category"(bigint, text, boolean, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_article_category"(bigint, text, boolean, boolean) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."set_product"(bigint, text, numeric, numeric, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."set_product"(bigint, text, numeric, numeric, boolean, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_product"(bigint, text, numeric, numeric, boolean, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_product"(bigint, text, numeric, numeric, boolean, boolean) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."admin_product_json"(app.products) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."admin_product_json"(app.products) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."admin_product_json"(app.products) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."admin_product_json"(app.products) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."article_category_json"(app.article_categories) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."article_category_json"(app.article_categories) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."article_category_json"(app.article_categories) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."article_category_json"(app.article_categories) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."article_json"(app.articles) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."article_json"(app.articles) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."article_json"(app.articles) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."article_json"(app.articles) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."clear_sign_in_flag"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."clear_sign_in_flag"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."clear_sign_in_flag"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."refuse_value"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."refuse_value"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refuse_value"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."require_article_category"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_article_category"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_article_category"(bigint) TO "postgres";
