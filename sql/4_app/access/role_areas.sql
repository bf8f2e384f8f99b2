create or replace function app.role_areas()
returns table (role text, areas text[])
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select r.role, r.areas::text[]
  from (values
    ('owner', '{content, orders, refunds, members, money, plan, system}'),
    ('finance', '{refunds, money}'),
    ('service', '{orders, refunds, members}'),
    ('content', '{content}')
  ) as r (role, areas)
$$;

comment on function app.role_areas is
  'Returns what administrators with each role may change. Each administrative function that writes names its area. content: articles and '
  'products; orders: shipment; refunds: refunds of orders; members: levels and no-assess flags; money: offline payments, withdrawals, '
  'adjustments, closed months, retries; plan: commission plan and levels; system: settings and schedule. All roles read everything, except '
  'account numbers, exports of finance, liabilities and closed months, which need money.';

grant execute on function app.role_areas() to store_admin;
