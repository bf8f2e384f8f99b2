-- Makes a new, empty store the home and router of shards (docs/scale.md, "Many machines"). The superuser of the local
-- stack runs it once, with the setting router.shards (how many there are, a power of two).
create extension plproxy;

create function router.shards() returns bigint language sql immutable parallel safe return 0;
do $$
begin
  execute format(
    'create or replace function router.shards() returns bigint language sql immutable parallel safe return %s::bigint',
    current_setting('router.shards')::bigint
  );
end
$$;
comment on function router.shards is 'Returns the number of shards.';

create table router.homes (
  auth_id uuid primary key references auth.users (id) on delete cascade, shard bigint not null
);
comment on table router.homes is 'The shard of each member, by Auth account. No member changes shard.';

create table router.routes (
  function text primary key,
  goes text not null,
  argument text,
  reason text,
  constraint target_is_known check (
    goes in ('home', 'caller', 'id', 'number', 'list', 'file', 'health', 'lease', 'each', 'nowhere')
  ),
  constraint an_id_or_number_is_named check ((argument is not null) = (goes in ('id', 'number', 'list'))),
  constraint what_is_not_routed_has_a_reason check ((reason is not null) = (goes = 'nowhere'))
);
comment on table router.routes is
  'Where a call of a function of schema api runs. home: here. caller: on the shard of the member who calls; here if '
  'nobody is signed in. id: on the shard of the id in the argument. number: on that of the number of a payment '
  'attempt or a withdrawal. list: the rows of all shards, merged by the id in argument. file: the lines of one shard '
  'after those of the other. health: at home, with the health of all shards. lease: due rows of the outboxes of all. '
  'each: the settlement of waiting orders and the comparison of clocks, on every shard. nowhere: rejected with '
  'not_available_on_shards and the reason.';
grant select on router.routes to store_api, postgres;

-- Members read and change only what is theirs, so what they may call runs on their shard.
insert into router.routes (function, goes, reason)
select p.proname, case when m.may_call then 'caller' else 'nowhere' end, case
    when m.may_call then null
    when p.provolatile = 'v' then 'It changes rows of several shards, which commit separately.'
    else 'It reads rows of several shards, which are not put together.'
  end
from pg_catalog.pg_proc as p
cross join lateral has_function_privilege('authenticated', p.oid, 'execute') as m (may_call)
where p.pronamespace = 'api'::regnamespace;

-- Calls with one part at home and another on a shard.
update router.routes as r set goes = 'nowhere', reason = n.reason
from (
  select f as function, 'It needs the account, which is at home, and the member, who is on a shard.' as reason
  from unnest(
    '{get_sessions, end_sessions, get_deletion, request_deletion, cancel_deletion, open_wechat_sign_in, close_wechat_sign_in}'::text[]
  ) as f
  union all
  select f, 'Its token does not say on which shard the picture is.'
  from unnest(
    '{upload_avatar, upload_refund_picture, upload_picture, record_picture_check, get_poster_picture}'::text[]
  ) as f
  union all
  select f, 'Webhooks and addresses of mails are at home, and what they tell is on the shards.'
  from unnest('{
    get_webhooks, get_webhook, create_webhook, set_webhook, switch_webhook, rotate_webhook_secret, delete_webhook, test_webhook, get_webhook_deliveries,
    resend_webhook_delivery, preview_webhook_replay, replay_webhook, get_own_notices, set_own_notices, get_message_settings, set_message_settings
  }'::text[]) as f
) as n
where n.function = r.function;

update router.routes as r set goes = n.goes, argument = n.argument, reason = null
from (
  select f as function, 'home' as goes, null as argument from unnest('{
    get_required_article, get_readable_article, get_system_metadata, get_own_roles, report_function_settings,
    get_settings, set_settings, get_brokerage_config, set_brokerage_config, preview_brokerage_config, get_agent_levels, get_carriers, create_carrier, set_carrier,
    create_product, set_product, delete_product, set_on_sale, admin_get_product, admin_get_products, admin_get_first_page, set_first_page,
    admin_get_product_categories, create_product_category, set_product_category, sort_product_categories, delete_product_category,
    get_articles, get_article, create_article, set_article, delete_article,
    get_article_categories, get_article_category, create_article_category, set_article_category, delete_article_category,
    get_wechat_token, claim_wechat_ticket, save_wechat_token, record_unverified_notification, get_due_webhooks, lease_deliveries, record_attempt, count_code
  }'::text[]) as f
  union all
  select f, 'id', 'p_uid' from unnest('{
    admin_get_user, set_agent_level, set_no_assess, preview_spread, set_spread, get_upline, get_places, get_count_audit, get_level_changes, get_no_assess_changes, get_spread_changes,
    admin_get_bill, admin_get_statement, admin_get_statement_lines, admin_get_statement_proof, export_member, create_adjustment, admin_get_tax, create_tax_allowance, admin_get_real_name, read_real_name, decide_real_name, save_poster, set_phone, find_inviter,
    dismiss_member_doubt, record_person_request
  }'::text[]) as f
  union all
  select f, 'id', 'p_order_id' from unnest('{
    get_settlement, pay_order_offline, refuse_payment, deliver_order, add_parcel, refund_order, refuse_refund, request_return, receive_return, preview_refund, preview_refusal, retry_job, open_payment,
    dismiss_refund_doubt, admin_get_refund_pictures
  }'::text[]) as f
  union all
  select f, 'id', 'p_id' from unnest('{
    admin_get_order, set_parcel, approve_adjustment, refuse_adjustment, admin_get_withdrawal, approve_withdrawal, refuse_withdrawal, mark_withdrawal_paid, mark_withdrawal_failed,
    answer_person_request
  }'::text[]) as f
  union all
  select f, 'number', 'p_attempt_no'
  from unnest('{record_payment_start, claim_payment_query, record_attempt_state}'::text[]) as f
  union all
  values ('record_payment_notification', 'number', 'p_order_no'),
    ('record_refund_notification', 'number', 'p_payment_no'),
    ('record_transfer_notification', 'number', 'p_withdrawal_no'),
    ('admin_get_users', 'list', 'uid'), ('admin_get_orders', 'list', 'id'),
    ('export_bill', 'file', null), ('export_withdrawals', 'file', null), ('export_tax', 'file', null),
    ('get_health', 'health', null), ('admin_get_system_metadata', 'health', null),
    ('lease_outbox', 'lease', null), ('lead_settlement', 'each', null), ('report_clock', 'each', null)
) as n (function, goes, argument)
where n.function = r.function;

create function router.ask_caller(
  p_shard bigint, p_claims jsonb, p_function text, p_args jsonb, p_key text, p_request_id text
)
returns jsonb
language plproxy
as $$
  cluster 'shards';
  run on p_shard;
  select router.answer_caller(p_claims, p_function, p_args, p_key, p_request_id);
$$;
create function router.ask_service(p_shard bigint, p_function text, p_args jsonb)
returns jsonb
language plproxy
as $$
  cluster 'shards';
  run on p_shard;
  select router.answer_service(p_function, p_args);
$$;
create function router.ask_sign_up(p_shard bigint, p_account uuid, p_metadata jsonb, p_phone text)
returns bigint
language plproxy
as $$
  cluster 'shards';
  run on p_shard;
  select router.sign_up(p_account, p_metadata, p_phone);
$$;

create function router.result_of(p_answer jsonb)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_answer ? 'state' then
    raise exception using
      errcode = p_answer ->> 'state', message = p_answer ->> 'message', detail = coalesce(p_answer ->> 'detail', ''),
      column = coalesce(p_answer ->> 'column', '');
  end if;
  return p_answer -> 'result';
end
$$;
comment on function router.result_of is 'Returns the result of an answer of a shard, or raises its error again.';

create function router.run_as_caller(
  p_shard bigint, p_claims jsonb, p_function text, p_args jsonb, p_key text, p_request_id text
)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_shard constant bigint := p_shard % router.shards();
  v_answer jsonb;
begin
  perform router.enter(v_shard);
  begin
    v_answer := router.ask_caller(v_shard, p_claims, p_function, p_args, p_key, p_request_id);
  exception when internal_error then
    -- PL/Proxy reports a lost connection as an internal error. Whether the shard has committed is unknown.
    raise connection_failure using message = format('shard %s does not answer', v_shard), detail = sqlerrm;
  end;
  return router.result_of(v_answer);
end
$$;
comment on function router.run_as_caller is
  'Runs app.as_caller on a shard. The shard commits by itself: a call runs on one shard only.';

create function router.run_as_service(p_shard bigint, p_function text, p_args jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_shard constant bigint := p_shard % router.shards();
  v_answer jsonb;
begin
  perform router.enter(v_shard);
  begin
    v_answer := router.ask_service(v_shard, p_function, p_args);
  exception when internal_error then
    raise connection_failure using message = format('shard %s does not answer', v_shard), detail = sqlerrm;
  end;
  return router.result_of(v_answer);
end
$$;
comment on function router.run_as_service is 'Runs app.as_service on a shard.';

-- Security definer: store_api reads no table.
create function router.shard_of_account(p_account uuid)
returns bigint
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select h.shard from router.homes as h where h.auth_id = p_account);
end
$$;
comment on function router.shard_of_account is
  'Returns the shard of the member of an account, or null if the account has no member.';

create function router.shard_of(p_route router.routes, p_account text, p_args jsonb)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value constant text := p_args ->> p_route.argument;
begin
  return case p_route.goes
    when 'caller' then router.shard_of_account(p_account::uuid)
    when 'id' then case when v_value ~ '^[0-9]{1,18}$' then v_value::bigint end
    -- The number of an order or a withdrawal ends with eight digits of a sequence, and an attempt has "-n" after it.
    when 'number' then case
      when v_value ~ '^W?[0-9]{22,}(-[0-9]+)?$' then right(split_part(v_value, '-', 1), 8)::bigint
    end
  end;
end
$$;
comment on function router.shard_of is
  'Returns the shard on which a call runs, or a number that is it modulo the number of shards; null if it runs at '
  'home, which is where invalid arguments are rejected.';

create function router.reject(p_reason text)
returns jsonb
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = 'PT501', message = 'not_available_on_shards', detail = p_reason;
end
$$;
comment on function router.reject is
  'Rejects a call that is not routed. The functions respond with 501 and the reason.';

alter function app.as_caller(jsonb, text, jsonb, text, text) rename to as_caller_at_home;
alter function app.as_service(text, jsonb) rename to as_service_at_home;

create function app.as_caller(
  p_claims jsonb, p_function text, p_args jsonb default '{}', p_key text default null, p_request_id text default null
)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_route router.routes;
  v_shard bigint;
  v_home jsonb;
begin
  select r.* into v_route from router.routes as r where r.function = p_function;
  case v_route.goes
    when 'list' then return router.merge_list(p_function, v_route.argument, p_claims, p_args, p_request_id);
    when 'file' then return router.chain_file(p_claims, p_function, p_args, p_request_id);
    when 'health' then
      v_home := app.as_caller_at_home(p_claims, p_function, p_args, p_key, p_request_id);
      -- What runs at home leaves its role, which may not ask the shards.
      perform set_config('role', 'none', true);
      return router.merge_health(v_home);
    when 'nowhere' then return router.reject(v_route.reason);
    else v_shard := router.shard_of(v_route, p_claims ->> 'sub', p_args);
  end case;
  if v_shard is null then
    return app.as_caller_at_home(p_claims, p_function, p_args, p_key, p_request_id);
  end if;
  return router.run_as_caller(v_shard, p_claims, p_function, p_args, p_key, p_request_id);
end
$$;
comment on function app.as_caller is
  'Runs one function of schema api as the caller, where router.routes says. Arguments and result are those of an '
  'ordinary store.';

create function app.as_service(p_function text, p_args jsonb default '{}')
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_route router.routes;
  v_shard bigint;
begin
  select r.* into v_route from router.routes as r where r.function = p_function;
  case
    -- The worker names the shard of the row of the outbox that it handles. What is at home, such as the tokens of
    -- WeChat, is there for all.
    when p_args ? 'p_shard' then v_shard := case when v_route.goes <> 'home' then (p_args ->> 'p_shard')::bigint end;
    when v_route.goes = 'lease' then return router.lease_on_each(p_function, p_args);
    when v_route.goes = 'each' then return router.settle_on_each(p_function, p_args);
    when v_route.goes = 'nowhere' then return router.reject(v_route.reason);
    else v_shard := router.shard_of(v_route, null, p_args);
  end case;
  if v_shard is null then
    return app.as_service_at_home(p_function, p_args - 'p_shard');
  end if;
  return router.run_as_service(v_shard, p_function, p_args - 'p_shard');
end
$$;
comment on function app.as_service is 'Runs one function of schema api as service_role, where router.routes says.';

create function router.route_reads()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_function record;
begin
  for v_function in select p.proname as name, p.prorettype::regtype as result from pg_proc as p
    where p.pronamespace = 'entry'::regnamespace order by p.proname loop
    execute format(
      'create or replace function entry.%1$I(p_claims text, p_role text, p_request_id text, p_args jsonb) returns %2$s language plpgsql volatile as '
      '$body$ begin return app.as_caller(p_claims::pg_catalog.jsonb, %1$L, p_args, null, p_request_id); end $body$',
      v_function.name, v_function.result
    );
  end loop;
end
$$;
comment on function router.route_reads is
  'Lets every entry point of a read call app.as_caller, which knows where the function runs.';
select router.route_reads();

alter function app.as_caller(jsonb, text, jsonb, text, text) owner to postgres;
alter function app.as_service(text, jsonb) owner to postgres;
revoke execute on function app.as_caller(jsonb, text, jsonb, text, text), app.as_service(text, jsonb) from public;
revoke execute on all functions in schema router from public;
grant execute on function app.as_caller(jsonb, text, jsonb, text, text), app.as_service(text, jsonb) to store_api;
grant execute on function
  router.shards(), router.places(), router.is_silent(bigint), router.enter(bigint),
  router.ask_caller(bigint, jsonb, text, jsonb, text, text), router.ask_service(bigint, text, jsonb),
  router.result_of(jsonb), router.run_as_caller(bigint, jsonb, text, jsonb, text, text),
  router.run_as_service(bigint, text, jsonb), router.shard_of_account(uuid),
  router.shard_of(router.routes, text, jsonb), router.reject(text), router.merge_list(text, text, jsonb, jsonb, text),
  router.chain_file(jsonb, text, jsonb, text), router.settle_on_each(text, jsonb), router.lease_on_each(text, jsonb),
  router.worst(text[], text[]),
  router.merge_health(jsonb)
to store_api, postgres;

-- Sign-up: the member goes to the shard of the tree that they join; without a referrer, the shards that answer take
-- turns.
create sequence router.sign_ups;

create function router.next_shard()
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_shard bigint;
begin
  for v_try in 1..router.shards() loop
    v_shard := nextval('router.sign_ups') % router.shards();
    exit when not router.is_silent(v_shard);
  end loop;
  return v_shard;
end
$$;
comment on function router.next_shard is 'Returns the shard of the next member without a referrer.';
revoke execute on function router.next_shard() from public;
grant execute on function router.next_shard() to postgres;

-- Security definer: the role of the Auth server has no rights on schema router. Idempotent: the shard has one member
-- for an account. A rollback here leaves a member there whom nobody can sign in as.
create function router.place_account()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_spread constant text := trim(new.raw_user_meta_data ->> 'spread');
  v_shard constant bigint := (
    case when v_spread ~ '^[0-9]{1,18}$' then v_spread::bigint % router.shards() else router.next_shard() end
  );
begin
  perform router.enter(v_shard);
  perform router.ask_sign_up(
    v_shard, new.id, new.raw_user_meta_data, case when new.phone_confirmed_at is not null then new.phone::text end
  );
  insert into router.homes (auth_id, shard) values (new.id, v_shard);
  return new;
end
$$;
comment on function router.place_account is
  'Trigger: creates the member of a confirmed Auth account on the shard of the referrer that the share link names.';
alter function router.place_account() owner to postgres;
revoke execute on function router.place_account() from public;
grant execute on function router.ask_sign_up(bigint, uuid, jsonb, text) to postgres;
grant insert on router.homes to postgres;
grant usage on sequence router.sign_ups to postgres;
alter table auth.users disable trigger every_account_becomes_a_member,
  disable trigger accounts_become_members_when_confirmed,
  disable trigger accounts_become_members_when_demoted;
create trigger every_account_gets_a_shard after insert on auth.users
  for each row
    when (
      new.email_confirmed_at is not null or new.phone_confirmed_at is not null
    ) execute function router.place_account();
create trigger accounts_get_a_shard_when_confirmed after update of email_confirmed_at, phone_confirmed_at on auth.users
  for each row when (
    old.email_confirmed_at is null and old.phone_confirmed_at is null
    and (new.email_confirmed_at is not null or new.phone_confirmed_at is not null) and new.deleted_at is null
  )
  execute function router.place_account();

-- Units of a product are counted where orders are placed, so a limit over all shards would need a lock over all of
-- them.
create function router.reject_stock()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('invalid_argument', 'A product of a store with shards has no limited stock.', '/stock');
  return new;
end
$$;
create trigger products_have_no_limited_stock before insert or update on app.products
  for each row when (new.stock is not null) execute function router.reject_stock();

-- What app.require_admin asks of the account of an administrator. auth.users itself is not replicated: it has the
-- passwords of all members.
create table router.admin_accounts (id uuid primary key, role text, banned_until timestamptz, deleted_at timestamptz);

create function router.copy_admin_account()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into router.admin_accounts (id, role, banned_until, deleted_at)
  select u.id, u.role, u.banned_until, u.deleted_at
  from auth.users as u join app.administrators as a on a.auth_id = u.id
  where u.id = case tg_table_name
    when 'users' then (to_jsonb(new) ->> 'id')::uuid
    else (to_jsonb(new) ->> 'auth_id')::uuid
  end
  on conflict (id) do update set role = excluded.role, banned_until = excluded.banned_until,
    deleted_at = excluded.deleted_at;
  return new;
end
$$;
revoke execute on function router.copy_admin_account() from public;
create trigger shards_know_the_accounts_of_administrators after insert
  or update on app.administrators for each row execute function router.copy_admin_account();
create trigger shards_know_the_accounts_of_administrators after update of role, banned_until, deleted_at on auth.users
  for each row execute function router.copy_admin_account();

create publication home for table
  app.settings, app.carriers, app.agent_levels, app.agent_level_tasks, app.level_versions, app.commission_plans,
  app.product_categories, app.products, app.banners, app.featured_products, app.administrators, router.admin_accounts;

-- What a home and router is from now on.
delete from app.manifest;
insert into app.manifest select * from app.catalogue();
