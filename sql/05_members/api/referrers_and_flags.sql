-- What clients may call about referrers and no-assess flags, and their histories.

-- Locks: structure (exclusive), then balances by uid.
-- Idempotent: binding to the same referrer again changes nothing.
create or replace function api.bind_spread(p_spread_uid bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.bind_spread(v_uid, p_spread_uid, null);
  return jsonb_build_object('uid', v_uid, 'spread_uid', p_spread_uid);
end
$$;

comment on function api.bind_spread is
  'Binds the caller to a referrer, once (app.bind_spread). Serves PUT /api/user/spread.';

grant execute on function api.bind_spread(bigint) to authenticated, store_admin;

-- Locks: structure (exclusive), then balances by uid.
-- Idempotent: setting the same value again changes nothing.
create or replace function api.set_no_assess(p_uid bigint, p_no_assess boolean)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was boolean;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.lock_structure();
  v_was := (select u.no_assess from app.users as u where u.uid = p_uid);
  perform app.set_no_assess(p_uid, p_no_assess, auth.uid(), null);
  perform app.record_action(
    'set_no_assess', 'member', p_uid::text, jsonb_build_object('no_assess', v_was),
    jsonb_build_object('no_assess', p_no_assess)
  );
  return jsonb_build_object('uid', p_uid, 'no_assess', p_no_assess);
end
$$;

comment on function api.set_no_assess is
  'Sets whether a member''s orders count for the tasks of their upline (R9). Serves PUT '
  '/adminapi/hjf/member/{uid}/no_assess.';

grant execute on function api.set_no_assess(bigint, boolean) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
create or replace function api.preview_spread(p_uid bigint, p_spread_uid bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('members');
  perform app.check_new_spread(p_uid, p_spread_uid);
  return app.spread_json(p_uid, p_spread_uid);
end
$$;

comment on function api.preview_spread is
  'Returns what setting the referrer of a member would change (app.spread_json), or raises why it cannot be set. '
  'Serves POST /adminapi/user/{uid}/spread/preview.';

grant execute on function api.preview_spread(bigint, bigint) to store_admin;

-- Locks: structure (exclusive), then the orders of the member that wait.
-- Idempotent: see app.set_spread.
create or replace function api.set_spread(p_uid bigint, p_spread_uid bigint, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_change jsonb;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.reject_own_member(p_spread_uid);
  perform app.lock_structure();
  v_change := app.spread_json(p_uid, p_spread_uid);
  perform app.set_spread(p_uid, p_spread_uid, p_reason, auth.uid(), null);
  perform app.record_action(
    'set_spread', 'member', p_uid::text, jsonb_build_object('spread_uid', v_change #> '{from,uid}'),
    jsonb_build_object('spread_uid', p_spread_uid)
  );
  return v_change;
end
$$;

comment on function api.set_spread is
  'Sets or corrects the referrer of a member (app.set_spread) and returns the change (app.spread_json). Raises '
  'own_account if either member is the caller''s. Serves PUT /adminapi/user/{uid}/spread.';

grant execute on function api.set_spread(bigint, bigint, text) to store_admin;

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
  'Returns one page of the changes of a member''s no-assess flag, newest first (R9). Serves GET '
  '/adminapi/user/{uid}/no_assess_change.';

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
      'id', l.id, 'from_uid', l.from_uid, 'from_nickname',
      (select u.nickname from app.users as u where u.uid = l.from_uid), 'to_uid', l.to_uid,
      'to_nickname', (select u.nickname from app.users as u where u.uid = l.to_uid), 'reason', l.reason, 'changed_by',
      app.actor_json(l.changed_by),
      'add_time', app.utc(l.add_time)
    ) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset v_skip limit p_limit) as l
  );
end
$$;

comment on function api.get_spread_changes is
  'Returns one page of the referrers that administrators have set for a member, newest first. Serves GET '
  '/adminapi/user/{uid}/spread_change.';

grant execute on function api.get_spread_changes(bigint, integer, integer) to store_admin;
