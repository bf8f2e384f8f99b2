SET local check_function_bodies = off;

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
exception when check_violation or not_null_violation or data_exception then
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
exception when check_violation or not_null_violation or data_exception then
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
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
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
exception when check_violation or not_null_violation or data_exception then
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
exception when check_violation or not_null_violation or data_exception then
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
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
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
  perform app.fail('invalid_argument', case
    when p_constraint = '' then 'A value is missing or too large.'
    else 'A value is refused; what must hold: ' || replace(p_constraint, '_', ' ') || '.'
  end);
end
$function$;
