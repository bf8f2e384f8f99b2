-- Machine keys: what a program such as an ERP may call with a key of its own, until when, and which administrator
-- answers for it.

-- The one declaration of what keys can do: grants, the check of each call and the documents of the routes follow it. A
-- function that no scope names is for people only: it changes administrators, keys, settings, plan or levels, belongs
-- to the caller, or collects what is personal.
create or replace function app.key_scopes()
returns table (scope text, functions text[])
language sql
immutable
as $$
  values
    ('records:read', '{
      get_overview, get_report, get_report_products, get_report_levels, get_report_members, get_signals, get_actions, get_event_feed, get_events,
      get_settings, get_reconcile_report, get_agent_config_report, get_crontab, get_brokerage_config, get_agent_levels, admin_get_system_metadata
    }'::pg_catalog.text[]),
    ('content:read', '{
      admin_get_products, admin_get_product, admin_get_product_categories, admin_get_first_page, get_articles, get_article, get_article_categories,
      get_article_category
    }'),
    ('content:write', '{
      create_product, set_product, delete_product, set_on_sale, create_product_category, sort_product_categories, set_product_category, delete_product_category,
      set_first_page, create_article, set_article, delete_article, create_article_category, set_article_category, delete_article_category
    }'),
    ('orders:read', '{
      admin_get_orders, admin_get_order, get_orders_to_ship, get_shipping_rows, preview_shipping, get_carriers
    }'),
    ('orders:write', '{
      deliver_order, deliver_orders, ship_orders, add_parcel, set_parcel, create_carrier, set_carrier
    }'),
    ('refunds:read', '{
      preview_refund, preview_refusal, admin_get_refund_pictures
    }'),
    ('refunds:write', '{
      refund_order, refuse_refund, request_return, receive_return, dismiss_refund_doubt
    }'),
    ('members:read', '{
      admin_get_users, admin_get_user, get_upline, get_places, get_level_changes, get_no_assess_changes, get_spread_changes, preview_spread, get_count_audit, get_level_review, get_network,
      get_network_paid, get_network_members, get_member_network, get_branch
    }'),
    ('members:write', '{
      set_no_assess, set_agent_level, set_spread, dismiss_member_doubt
    }'),
    ('money:read', '{
      get_bill_rows, get_bill_row, admin_get_bill, admin_get_statement, admin_get_statement_lines, get_adjustments, get_liabilities, get_months,
      get_release_log, get_release_forecast, admin_get_withdrawals, admin_get_withdrawal, get_withdrawal_batches, get_withdrawal_batch_rows, preview_withdrawal_batch, preview_approvals, get_debts,
      export_bill, export_liabilities, export_withdrawals, export_tax, export_journal, get_payment_notifications, get_outbox, get_jobs, get_settlement,
      simulate
    }'),
    ('money:write', '{
      create_adjustment, approve_adjustment, refuse_adjustment, close_month, pay_order_offline, refuse_payment, refund_payment, retry_provider_refund,
      retry_outbox, retry_job, create_withdrawal_batch, mark_withdrawal_batch_paid, approve_withdrawal, approve_withdrawals, cancel_transfer,
      refuse_withdrawal, mark_withdrawal_paid, mark_withdrawal_failed
    }'),
    ('personal:read', '{
      search
    }')
$$;

comment on function app.key_scopes is
  'Returns the functions of schema api that a machine key with each scope may execute (docs/access.md).';

create or replace function app.key_ends_at(p_key app.machine_keys)
returns timestamptz
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select least(p_key.expires_at, p_key.owner_left_at + interval '30 days')
$$;

comment on function app.key_ends_at is
  'Returns until when a machine key can work: until it expires, or 30 days after its owner has left.';

-- Precondition: the caller runs with owner rights.
create or replace function app.key_state(p_key app.machine_keys, p_now timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_key.revoked_at is not null then 'revoked'
    when p_key.expires_at <= p_now then 'expired'
    when app.key_ends_at(p_key) <= p_now then 'ended'
    when p_key.owner_left_at is null
      and exists (select from auth.users as u where u.id = p_key.owner and app.is_active_administrator(u)) then 'active'
    else 'blocked'
  end
$$;

comment on function app.key_state is
  'Returns active, revoked, expired, blocked (the owner is banned or no administrator) or ended (nobody took the key '
  'over within 30 days).';

-- Precondition: the caller runs with owner rights.
create or replace function app.working_scopes(p_key app.machine_keys)
returns text[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select s.scope from unnest(p_key.scopes) with ordinality as s (scope, place)
    where exists (
      select from app.administrators as a join app.role_areas() as r on r.role = any (a.roles)
      where a.auth_id = p_key.owner and replace(split_part(s.scope, ':', 1), 'personal', 'records') = any (r.areas)
    )
    order by s.place
  )
$$;

comment on function app.working_scopes is 'Returns the scopes of a machine key that the roles of its owner allow now.';

-- Precondition: the caller runs with owner rights.
create or replace function app.lost_scopes(p_key app.machine_keys)
returns text[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select s.scope from unnest(p_key.scopes) with ordinality as s (scope, place)
    where s.scope <> all (app.working_scopes(p_key)) order by s.place
  )
$$;

comment on function app.lost_scopes is
  'Returns the scopes of a machine key that the roles of its owner do not allow now.';

-- Precondition: the caller runs with owner rights.
create or replace function app.require_working_key(p_key app.machine_keys)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  case app.key_state(p_key, clock_timestamp())
    when 'active' then null;
    when 'revoked' then perform app.fail('invalid_key', 'This machine key was revoked.');
    when 'expired' then perform app.fail('invalid_key', 'This machine key has expired.');
    when 'ended' then perform app.fail(
      'invalid_key', 'The owner of this machine key has left, and nobody took it over within 30 days.'
    );
    else perform app.fail('invalid_key', case
      when p_key.owner_left_at is null then 'The owner of this machine key is blocked.'
      else 'The owner of this machine key has left. Hand it over to an administrator, or make a new one.'
    end);
  end case;
end
$$;

comment on function app.require_working_key is
  'Raises invalid_key, with the reason, for a machine key that does not work (app.key_state).';

-- Precondition: the caller runs with owner rights. The call came by app.become_caller, which has noted its function.
create or replace function app.require_key()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key app.machine_keys;
  v_scope text;
begin
  select k.* into v_key from app.machine_keys as k where k.id = (auth.jwt() ->> 'key')::bigint;
  perform app.require_working_key(v_key);
  -- Row order: a function has one scope.
  select s.scope into v_scope from app.key_scopes() as s
  where current_setting('store.called', true) = any (s.functions);
  if v_scope is null then
    perform app.fail('forbidden', 'Machine keys cannot do this, only people can.');
  elsif not v_scope = any (v_key.scopes) then
    perform app.fail(
      'forbidden', format('This machine key needs the scope %s for this. Make a key that has it.', v_scope)
    );
  elsif v_scope = any (app.lost_scopes(v_key)) then
    perform app.fail(
      'forbidden',
      format(
        'The roles of the owner of this machine key no longer allow the scope %s. Give them such a role again, or make a key of another administrator.',
        v_scope
      )
    );
  end if;
end
$$;

comment on function app.require_key is
  'Raises invalid_key unless the machine key of the claims works. Raises forbidden unless its scopes '
  '(app.working_scopes) allow the function that the request calls.';

-- Has no set clause, so that the planner can inline it: every call of an administrator asks.
create or replace function app.is_key()
returns boolean
language sql
stable
as $$
  select pg_catalog.current_setting('role') = 'store_key'
$$;

comment on function app.is_key is 'Returns whether the caller is a machine key.';

create or replace function app.reject_key_as_second()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if app.is_key() then
    perform app.fail(
      'second_administrator_needed',
      'A machine key is never the second to decide. An administrator with the role owner or finance, who has not decided before, must do it.'
    );
  end if;
end
$$;

comment on function app.reject_key_as_second is
  'Raises second_administrator_needed for a machine key, where a second person must decide.';

-- Locks: the key.
-- Idempotent: a key whose owner has left keeps the time.
create or replace function app.note_leaving_owner()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.machine_keys as k set owner_left_at = clock_timestamp()
  where k.owner = old.auth_id and k.owner_left_at is null;
  return old;
end
$$;

comment on function app.note_leaving_owner is
  'Trigger: notes when the owner of machine keys stops being an administrator. The keys stand still from then on.';

create trigger keys_stop_with_their_owner after delete on app.administrators
  for each row execute function app.note_leaving_owner();

-- Keys that have ended stay so: nobody has answered for them meanwhile.
-- Locks: the keys.
-- Idempotent: a key whose owner is there keeps its state.
create or replace function app.note_returning_owner()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.machine_keys as k set owner_left_at = null
  where k.owner = new.auth_id and k.owner_left_at is not null and app.key_ends_at(k) > clock_timestamp();
  return new;
end
$$;

comment on function app.note_returning_owner is
  'Trigger: gives machine keys back to an owner who is made an administrator again before they end.';

create trigger keys_return_to_their_owner after insert on app.administrators
  for each row execute function app.note_returning_owner();

-- Security definer: client roles cannot read the table, which has the hashes.
create or replace function app.key_name_json(p_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('id', k.id, 'name', k.name) from app.machine_keys as k where k.id = p_id
$$;

comment on function app.key_name_json is 'Returns {id, name} of a machine key; null for null.';

grant execute on function app.key_name_json(bigint) to store_admin;

-- Precondition: the caller runs with owner rights.
create or replace function app.key_json(p_key app.machine_keys)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_key.id, 'name', p_key.name, 'scopes', to_jsonb(p_key.scopes), 'lost_scopes',
    to_jsonb(app.lost_scopes(p_key)), 'calls_per_hour', p_key.calls_per_hour,
    'state', app.key_state(p_key, clock_timestamp()), 'owner', app.actor_json(p_key.owner), 'owner_left_at',
    app.utc(p_key.owner_left_at),
    'created_by', app.actor_json(p_key.created_by), 'created_at', app.utc(p_key.created_at), 'ends_at',
    app.utc(app.key_ends_at(p_key)),
    'last_used_at', app.utc(p_key.last_used_at), 'revoked_at', app.utc(p_key.revoked_at)
  )
$$;

comment on function app.key_json is 'Returns a machine key as clients see it, without its hash.';
