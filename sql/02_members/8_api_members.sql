-- What clients may call about a member's history.

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
  'Returns one page of the changes of a member''s no-assess flag, newest first, each with the administrator who made it (R9). '
  'Serves GET /adminapi/user/{uid}/no_assess_change.';

grant execute on function api.get_no_assess_changes(bigint, integer, integer) to store_admin;
