-- Locks: structure (exclusive), then balances of the upline by uid.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: setting the current value changes and records nothing.
create or replace function app.set_no_assess(p_uid bigint, p_no_assess boolean, p_changed_by uuid, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was boolean;
  v_state app.engine_state;
  v_now timestamptz;
begin
  if p_no_assess is null then
    perform app.fail('invalid_argument', 'no_assess must be true or false.');
  end if;
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.no_assess into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_was = p_no_assess then
    return;
  end if;
  v_state := app.load_state(array[p_uid]);
  perform app.book_entries('{}', (app.decide_levels(
    array[('assess', app.member_index(v_state, p_uid), null, 0, null, null, p_no_assess, null, null, null, null)::app.tree_event],
    v_state.members, v_state.levels
  )).members, '{}', v_now);
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, v_now);
end
$$;

comment on function app.set_no_assess is
  'Sets the no-assess flag of a member and removes their orders from, or adds them to, the counts of the upline (R9).';
