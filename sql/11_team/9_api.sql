-- What members may call about their team, the first page and products with what they would earn, and the history of a member's no-assess flag.

create or replace function api.get_product(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
begin
  select p.* into v_product from app.products as p where p.id = p_id and p.is_show and not p.is_del;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.product_json(v_product) || jsonb_build_object(
    'description', v_product.description, 'you_would_earn', app.you_would_earn(array[v_product]) -> v_product.id::text
  );
end
$$;

comment on function api.get_product is
  'Returns one product that is on sale, to a member with what it would pay the member (app.you_would_earn). Serves GET '
  '/api/product/{id}.';

grant execute on function api.get_product(bigint) to anon, authenticated, store_admin;

create or replace function app.products_json(p_products app.products[])
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_earnings constant jsonb := app.you_would_earn(p_products);
begin
  return (
    select coalesce(jsonb_agg(
      app.product_json(p_products[i]) || jsonb_build_object('you_would_earn', v_earnings -> (p_products[i]).id::text) order by i
    ), '[]')
    from generate_subscripts(p_products, 1) as i
  );
end
$$;

comment on function app.products_json is
  'Returns products in the format of the API and in the given sequence, to a member with what each would pay the member (app.you_would_earn).';

grant execute on function app.products_json(app.products[]) to anon, authenticated, store_admin;

-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function api.get_products(
  p_search text default null, p_category_id bigint default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_found bigint[] := app.find_products(p_search);
  v_products app.products[] := array(
    select p from app.products_on_sale(v_found, p_category_id) as p order by p.id desc offset v_skip limit p_limit
  );
begin
  return app.list_json(app.products_json(v_products), (select count(*) from app.products_on_sale(v_found, p_category_id)));
end
$$;

comment on function api.get_products is
  'Returns one page of the products on sale, newest first, filtered by title and category, to a member with what each would pay the member. Serves GET '
  '/api/product.';

grant execute on function api.get_products(text, bigint, integer, integer) to anon, authenticated, store_admin;

-- Security definer: members may not read the orders of others. The function starts from the member of the verified token, and a
-- cursor is only a time of payment and the id of an order.
create or replace function api.get_team_orders(p_cursor text default null, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object('list', o.list, 'next_cursor', o.next_cursor)
    from app.list_position(1, p_limit, p_cursor) as p cross join lateral app.team_orders(v_uid, p.add_time, p.id, p_limit) as o
  );
end
$$;

comment on function api.get_team_orders is
  'Returns one page of the orders below the caller that paid the caller or count for the caller''s tasks, latest first. Serves GET '
  '/api/spread/order.';

grant execute on function api.get_team_orders(text, integer) to authenticated, store_admin;

-- Security definer: members may not read other members. The function starts from the member of the verified token. No parameter
-- says whose team is read, and a cursor says where the caller's own list continues.
create or replace function api.get_team_people(
  p_depth text default 'direct', p_keyword text default null, p_sort text default '-joined', p_cursor text default null,
  p_limit integer default 20, p_one_order_away boolean default false
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_near boolean := coalesce(p_one_order_away, false);
  v_named bigint := app.person_by_uid(v_uid, p_depth, p_keyword);
  v_uids bigint[];
  v_next_cursor text;
begin
  perform app.check_page(1, p_limit);
  if p_depth is null or p_depth not in ('direct', 'umbrella') then
    perform app.fail('invalid_argument', 'depth is direct or umbrella.');
  end if;
  perform app.check_sort(p_sort, '{joined, nickname, agent_level, orders, members}');
  if p_depth = 'umbrella' and p_sort not in ('joined', '-joined') then
    perform app.fail('invalid_argument', 'With depth umbrella, sort is joined or -joined.');
  elsif char_length(p_keyword) not between 1 and 64 then
    perform app.fail('invalid_argument', 'keyword has between 1 and 64 characters.');
  end if;
  if v_named is not null then
    -- Row order: one member.
    v_uids := array(select v_named where not v_near or app.is_one_order_away(v_named));
  elsif p_depth = 'direct' then
    select p.uids, p.next_cursor into v_uids, v_next_cursor from app.direct_people(v_uid, p_keyword, v_near, p_sort, p_cursor, p_limit) as p;
  else
    select p.uids, p.next_cursor into v_uids, v_next_cursor from app.umbrella_people(v_uid, p_keyword, v_near, p_sort, p_cursor, p_limit) as p;
  end if;
  return jsonb_build_object(
    'list', app.people_json(v_uids), 'next_cursor', v_next_cursor,
    'as_of', (select app.utc(a.as_of) from app.team_totals_as_of as a)
  );
end
$$;

comment on function api.get_team_people is
  'Returns one page of the caller''s direct members, or of all members below (p_depth umbrella), without their phones. p_keyword '
  'is a part of a nickname or a whole uid, and p_one_order_away leaves only those whom the next order can raise to a level (app.is_one_order_away). Serves GET /api/spread/people.';

grant execute on function api.get_team_people(text, text, text, text, integer, boolean) to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token, and sums of those below.
create or replace function api.get_team_summary()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_today date := app.business_day(clock_timestamp());
begin
  return (
    select app.team_json(v_uid) || jsonb_build_object(
      'commission', jsonb_build_object(
        'today', app.commission_since(v_uid, app.local_day_begins(v_today, s.time_zone))::text,
        'month', app.commission_since(v_uid, app.local_day_begins(date_trunc('month', v_today::timestamp)::date, s.time_zone))::text,
        'total', (b.total_brokerage - (app.opening_of(v_uid)).brokerage)::text
      ),
      'next_level', app.next_level_json(u, b)
    )
    from app.settings as s, app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = v_uid
  );
end
$$;

comment on function api.get_team_summary is
  'Returns how many members and reported orders are below the caller, the caller''s commission of today, this month and in all without the opening balance, '
  'and what is missing for the next level. Serves GET /api/spread/summary.';

grant execute on function api.get_team_summary() to authenticated, store_admin;

create or replace function api.get_first_page()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_featured constant app.products[] := array(
    select p from app.featured_products as f join app.products_on_sale(null, null) as p on p.id = f.product_id order by f.rank
  );
begin
  return jsonb_build_object(
    'banners', (
      select coalesce(jsonb_agg(jsonb_build_object('image', b.image, 'title', b.title, 'product_id', b.product_id) order by b.rank), '[]')
      from app.banners as b
      where b.product_id is null or exists (select from app.products_on_sale(array[b.product_id], null))
    ),
    'featured', app.products_json(v_featured),
    'categories', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title) order by c.rank, c.id), '[]')
      from app.product_categories as c
      where not c.is_del and exists (select from app.products_on_sale(null, c.id))
    )
  );
end
$$;

comment on function api.get_first_page is
  'Returns the banners, the featured products and the categories of products, each in its sequence and as far as there are products on sale, to a member with '
  'what each product would pay the member. Serves GET /api/first_page.';

grant execute on function api.get_first_page() to anon, authenticated, store_admin;

create or replace function api.get_no_assess_changes(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return (
    with matching as not materialized (select n.* from app.no_assess_changes as n where n.uid = p_uid)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'from_value', l.from_value, 'to_value', l.to_value, 'changed_by', app.actor_json(l.changed_by),
      'add_time', app.utc(l.add_time)
    ) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset v_skip limit p_limit) as l
  );
end
$$;

comment on function api.get_no_assess_changes is
  'Returns one page of the changes of a member''s no-assess flag, newest first, each with the administrator who made it (R9). '
  'Serves GET /adminapi/user/{uid}/no_assess_change.';

grant execute on function api.get_no_assess_changes(bigint, integer, integer) to store_admin;

create or replace function api.get_spread_changes(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return (
    with matching as not materialized (select c.* from app.spread_changes as c where c.uid = p_uid)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'from_uid', l.from_uid, 'from_nickname', (select u.nickname from app.users as u where u.uid = l.from_uid), 'to_uid', l.to_uid,
      'to_nickname', (select u.nickname from app.users as u where u.uid = l.to_uid), 'reason', l.reason, 'changed_by', app.actor_json(l.changed_by),
      'add_time', app.utc(l.add_time)
    ) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset v_skip limit p_limit) as l
  );
end
$$;

comment on function api.get_spread_changes is
  'Returns one page of the referrers that administrators have set for a member, newest first, each with the referrer before it, the reason and the administrator. '
  'Serves GET /adminapi/user/{uid}/spread_change.';

grant execute on function api.get_spread_changes(bigint, integer, integer) to store_admin;
