-- Security definer: client roles may not execute the functions that walk the downline.
-- Raises: forbidden, invalid_argument.
create or replace function api.get_level_review(p_limit integer default 20, p_cursor bigint default 0)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(jsonb_build_object(
        'uid', u.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'level_is_held', u.is_held, 'reached_level', r.reached_level,
        'missing', case when r.reached_level is not null then (
          select coalesce(jsonb_agg(jsonb_build_object('agent_level', t.grade, 'type', t.type, 'target', t.target, 'current', c.current) order by t.grade, t.type), '[]')
          from app.agent_levels as l
          join app.agent_level_tasks as t on t.grade = l.grade
          cross join lateral (select (to_jsonb(r.counts) ->> t.type)::integer as current) as c
          where l.is_active and l.grade > r.reached_level and l.grade <= u.agent_level and c.current < t.target
        ) end
      ) order by u.uid) filter (where r.uid is not null), '[]'),
      'next_cursor', max(r.next_after)
    )
    from app.level_review(coalesce(p_cursor, 0), p_limit) as r
    left join app.users as u on u.uid = r.uid
  );
end
$$;

comment on function api.get_level_review is
  'Returns members who would not reach their level today, after refunds, with what is missing. Levels do not fall by themselves. A '
  'page reads a bounded number of members and can have fewer than p_limit. Serves GET /adminapi/agent/level/review.';

grant execute on function api.get_level_review(integer, bigint) to store_admin;
