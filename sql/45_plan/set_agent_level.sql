-- Sets a member's grade by hand, up or down, and records it. Levels never fall by themselves; this is the other way.
-- Callers: api.set_agent_level. Locks: structure (own), then the member's balances.
-- Raises: invalid_argument, user_not_found, level_unknown. Safe twice: setting what is set changes and records nothing.
create or replace function app.set_agent_level(p_uid bigint, p_grade smallint, p_changed_by uuid, p_now timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was smallint;
  v_now timestamptz;
begin
  perform app.own_structure();
  v_now := app.moment(p_now);
  select u.agent_level into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif p_grade is null or not exists (select from app.agent_levels as l where l.grade = p_grade and l.is_active) then
    perform app.fail('level_unknown', 'There is no active level of this grade.');
  elsif v_was = p_grade then
    return;
  end if;
  update app.users set agent_level = p_grade where uid = p_uid;
  insert into app.level_changes (uid, from_level, to_level, reason, changed_by, add_time)
  values (p_uid, v_was, p_grade, 'manual', p_changed_by, v_now);
  if v_was >= app.top_grade() then
    perform app.rebuild_counters(array[p_uid]);
  end if;
end
$$;
