-- Locks: structure (exclusive), then the member's balances.
-- Raises: invalid_argument, user_not_found, level_unknown.
-- Idempotent: setting the current values changes and records nothing.
create or replace function app.set_agent_level(
  p_uid bigint, p_grade smallint, p_changed_by uuid, p_now timestamptz, p_held boolean default null
)
returns app.users
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was app.users;
  v_is app.users;
  v_now timestamptz;
begin
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.* into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif p_grade is null or not exists (select from app.agent_levels as l where l.grade = p_grade and l.is_active) then
    perform app.fail('level_unknown', 'There is no active level of this grade.');
  end if;
  update app.users as u
  set agent_level = p_grade, is_held = coalesce(p_held, p_grade < v_was.agent_level or v_was.is_held)
  where u.uid = p_uid
  returning u.* into v_is;
  if (v_is.agent_level, v_is.is_held) = (v_was.agent_level, v_was.is_held) then
    return v_is;
  end if;
  insert into app.level_changes (uid, from_level, to_level, from_held, to_held, reason, changed_by, add_time)
  values (p_uid, v_was.agent_level, v_is.agent_level, v_was.is_held, v_is.is_held, 'manual', p_changed_by, v_now);
  if v_was.agent_level >= app.top_grade() then
    perform app.rebuild_counters(array[p_uid]);
  end if;
  return v_is;
end
$$;

comment on function app.set_agent_level is
  'Sets a member''s grade by hand, up or down, and records the change. While the level is held, tasks do not raise the member. '
  'p_held sets or ends the hold; null holds a member who is lowered and leaves the hold of others unchanged.';
