-- The first steps of a new store, which the overview shows until all are done, or an administrator dismisses them.

-- In the order in which a new store takes them. Each is one that the tables show. Orders are looked for by the time of
-- their payment, from the latest to the installation: a store may have imported millions of older ones, which every
-- call would read until there is another.
create or replace function app.first_steps()
returns table (step text, is_done boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select t.step, t.is_done
  from app.settings as s
  cross join lateral (
    select (
      select o.id from app.orders as o where o.paid_at >= s.lifecycle_from and not o.is_imported
      order by o.paid_at desc, o.id desc limit 1
    ) is not null as is_paid
  ) as p
  cross join lateral (values
    ('identity', s.site_name <> 'Store' and s.logo is not null),
    ('product', exists (select from app.products as p where p.is_show and not p.is_del and p.is_queue_goods)),
    ('plan', p.is_paid or exists (select from app.commission_plans as c where c.created_by is not null)),
    ('levels', p.is_paid or exists (select from app.level_versions as l where l.created_by is not null)),
    ('article', exists (
      select from app.article_pool as p join app.article_categories as c on c.id = p.cid
      where c.is_sign_in_ad and not c.hidden
    )),
    ('payment', p.is_paid),
    ('share', not app.is_loopback_address(s.h5_share_url)),
    ('withdrawals', exists (select from app.withdrawals) or exists (
      select from app.admin_actions as a
      where a.function = 'set_settings'
        and a.to_value ?| '{withdrawal_minimum, withdrawal_maximum, withdrawal_fee_rate, withdrawal_methods}'
    )),
    ('colleague', exists (select from app.administrators offset 1) or exists (select from app.invitations)),
    ('order', (
      select o.id from app.orders as o
      where o.paid_at >= s.lifecycle_from and o.delivered_at is not null and not o.is_imported
      order by o.paid_at desc, o.id desc limit 1
    ) is not null)
  ) as t (step, is_done)
$$;

comment on function app.first_steps is
  'Returns the first steps of a new store, in their order. plan and levels are done once an administrator has saved '
  'them, or an order was paid by those of the installation. withdrawals is done once an administrator has chosen their '
  'terms or a member has asked for one, colleague with a second administrator or an invitation.';

-- Security definer: client roles cannot read invitations.
create or replace function api.get_first_steps()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  if (select s.first_steps_dismissed_at is not null from app.settings as s) then
    return jsonb '{"list": []}';
  end if;
  return (
    select jsonb_build_object(
      'list',
      case
        when bool_and(f.is_done) then '[]'
        else jsonb_agg(jsonb_build_object('step', f.step, 'is_done', f.is_done) order by f.ordinality)
      end
    )
    from app.first_steps() with ordinality as f
  );
end
$$;

comment on function api.get_first_steps is
  'Returns the first steps of the store (app.first_steps), none if all are done or they were dismissed. Serves GET '
  '/adminapi/first_steps.';

grant execute on function api.get_first_steps() to store_admin;

-- Locks: the row of settings.
-- Idempotent: steps that were dismissed stay so.
create or replace function api.dismiss_first_steps()
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_at timestamptz;
begin
  perform app.require_admin('system');
  select jsonb_build_object('first_steps_dismissed_at', s.first_steps_dismissed_at), s.first_steps_dismissed_at
  into v_before, v_at
  from app.settings as s for update;
  if v_at is null then
    update app.settings set first_steps_dismissed_at = clock_timestamp() where id returning first_steps_dismissed_at
    into v_at;
  end if;
  perform app.record_action(
    'dismiss_first_steps', 'settings', null, v_before, jsonb_build_object('first_steps_dismissed_at', v_at)
  );
  return api.get_first_steps();
end
$$;

comment on function api.dismiss_first_steps is
  'Dismisses the first steps of the store for all administrators. Returns what get_first_steps returns. Serves PUT '
  '/adminapi/first_steps/dismissal.';

grant execute on function api.dismiss_first_steps() to store_admin;
