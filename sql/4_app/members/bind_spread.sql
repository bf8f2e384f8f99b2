-- Locks: structure (exclusive), then balances of the member and the new upline by uid.
-- Raises: invalid_argument, user_not_found, spread_already_bound, spread_unknown, spread_is_self, spread_in_own_downline.
-- Idempotent: binding to the same referrer again changes nothing.
create or replace function app.bind_spread(p_uid bigint, p_spread_uid bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user app.users;
  v_below record;
  v_state app.engine_state;
  v_now timestamptz;
begin
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_user.spread_uid = p_spread_uid then
    return;
  elsif v_user.spread_uid is not null then
    perform app.fail('spread_already_bound', 'A referrer can be set only once.');
  elsif p_uid = p_spread_uid then
    perform app.fail('spread_is_self', 'Nobody can be their own referrer.');
  elsif p_spread_uid is null or not exists (select from app.users as u where u.uid = p_spread_uid) then
    perform app.fail('spread_unknown', 'There is no member with this uid.');
  elsif exists (select from app.get_upline(p_spread_uid) as a where a.uid = p_uid) then
    perform app.fail('spread_in_own_downline', 'The referrer is in this member''s downline.');
  end if;

  select * into v_below from app.count_downline(p_uid);
  v_state := app.load_state(array[p_uid, p_spread_uid]);
  perform app.book_entries('{}', (app.decide_levels(
    array[(
      'refer', app.member_index(v_state, p_uid), null, 0, null, null, null, app.member_index(v_state, p_spread_uid),
      v_below.umbrella_orders, v_below.umbrella_members, null
    )::app.tree_event],
    v_state.members, v_state.levels
  )).members, '{}', v_now);
  update app.users set spread_uid = p_spread_uid, spread_time = v_now, spread_position = nextval('app.positions') where uid = p_uid;
end
$$;

comment on function app.bind_spread is
  'Binds a member to a referrer. A referrer can be set once, and must not be the member or anyone below the member. The orders '
  'and members below the member begin to count for the new upline.';
