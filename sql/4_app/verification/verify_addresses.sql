-- A store is in production if its functions have reported an address of the project that is not a loopback address.
create or replace function app.verify_addresses()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with place as (
    select coalesce(not app.is_loopback_address(f.project_url), false) as is_production, coalesce(app.is_loopback_address(f.project_url), false) as is_local,
      f.functions_url
    from (values (true)) as one (id) left join app.function_settings as f on f.id = one.id
  ),
  addresses as (
    select 'share_address' as check_id, 'share page' as subject, 1 as total, app.is_loopback_address(s.h5_share_url)::integer as lost,
      s.h5_share_url as example, 'Set the share link URL on the settings page of the console: the address of the H5 app.' as hint
    from app.settings as s
    union all
    select 'logo_address', 'logo', 1, app.is_loopback_address(s.logo)::integer, s.logo,
      'Set the logo on the settings page of the console: an address that everyone can open.'
    from app.settings as s where s.logo is not null
    union all
    select 'product_pictures', 'products', count(*)::integer, count(*) filter (where app.is_loopback_address(i.image))::integer,
      min(i.image) filter (where app.is_loopback_address(i.image)),
      'Give the products pictures with addresses that everyone can open.'
    from app.products as g cross join lateral unnest(g.images) as i (image)
    where not g.is_del
    having count(*) > 0
    union all
    select 'functions_address', 'edge functions', 1, app.is_loopback_address(p.functions_url)::integer, p.functions_url,
      'Remove the variable STORE_FUNCTIONS_URL of the edge functions, or set it to their public address.'
    from place as p where p.functions_url is not null
  )
  select a.check_id,
    case when a.lost = 0 or p.is_local then 'ok' when p.is_production then 'error' else 'warning' end,
    a.subject,
    case
      when a.lost = 0 then format('%s addresses, none of which leads to a local machine', a.total)
      when p.is_local then format('leads to the local stack: %s', a.example)
      else format('leads to a local machine, which nobody else can reach: %s', a.example)
    end,
    a.hint
  from addresses as a cross join place as p
$$;

comment on function app.verify_addresses is
  'Checks that share links, logo, pictures of products and the address of the edge functions do not lead to a local machine. That '
  'is an error in production, no finding in a local stack, and a warning while the functions have not reported where they run.';
