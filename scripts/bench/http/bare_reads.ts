/**
 * The baselines of the reads: one handwritten statement per read, executed as the owner of the tables after token
 * verification, with the same data in the response. $1 is the account of the caller.
 */
const CYCLE = `
  'plan_version', p.version, 'people_per_cycle', p.people_per_cycle, 'tier_ratios', p.tier_ratios,
  'brokerage_scope', active.brokerage_scope, 'brokerage_timing', active.brokerage_timing,
  'eligible', exists (select from app.orders as o where o.uid = u.uid and o.paid_at <= now() and o.queue_units > 0 and o.refund_status <> 2),
  'cycle_no', c.cycle_no, 'cycle_current', cardinality(t.taken), 'cycle_remaining', p.people_per_cycle - cardinality(t.taken),
  'next_ratio', p.tier_ratios[(select min(g) from generate_series(1, p.people_per_cycle) as g where g <> all (t.taken))],
  'total_places', b.total_places, 'total_brokerage', b.total_brokerage::text`;

const MEMBER = `
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  cross join lateral (select a.* from app.commission_plans as a order by a.version desc limit 1) as active
  cross join lateral (select case when b.cycle_is_open then b.cycle_no else b.cycle_no + 1 end as cycle_no) as c
  join app.commission_plans as p on p.version = case when b.cycle_is_open then b.cycle_plan_version else active.version end
  cross join lateral (
    select array(
      select s.place from app.settlements as s where s.earner_uid = u.uid and s.cycle_no = c.cycle_no and s.place_freed_at is null
    ) as taken
    offset 0
  ) as t`;

const MATURING = `
  cross join lateral (
    select
      coalesce(sum(d.amount), 0.00) as amount, coalesce(sum(d.amount) filter (where d.day is null), 0.00) as after_receipt,
      coalesce(json_agg(json_build_object('date', d.day, 'amount', d.amount::text) order by d.day) filter (where d.day is not null), '[]') as days
    from (
      select (m.matures_at at time zone 'Asia/Shanghai')::date as day, sum(m.amount_left) as amount
      from app.commission_maturities as m
      where m.uid = u.uid and (m.matures_at > now() or m.matures_at is null) and m.amount_left > 0
      group by 1
    ) as d
    offset 0
  ) as w`;

export const BARE_READS = {
  me: `
    select json_build_object(
      'uid', u.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'spread_uid', u.spread_uid, 'share_code', u.share_code, 'agent_level', u.agent_level, 'agent_level_name', l.name,
      'no_assess', u.no_assess, 'add_time', u.add_time
    )::text as result
    from app.users as u join app.agent_levels as l on l.grade = u.agent_level where u.auth_id = $1`,
  progress: `select json_build_object(${CYCLE})::text as result ${MEMBER} where u.auth_id = $1`,
  overview: `
    select json_build_object(
      'brokerage_price', b.brokerage_price::text, 'frozen_points', b.frozen_points, 'available_points', b.available_points,
      'today_release', coalesce(
        (select g.release_points from app.points_release_log as g where g.uid = u.uid and g.release_date = (now() at time zone 'Asia/Shanghai')::date),
        trunc(b.frozen_points * 0.0004, 4)
      ),
      'total_points_earned', b.total_points_earned, 'agent_level', u.agent_level, 'agent_level_name', l.name,
      'progress', json_build_object(${CYCLE}), 'withdrawable', (b.brokerage_price - w.amount)::text, 'maturing', w.amount::text,
      'maturing_after_receipt', w.after_receipt::text, 'matures', w.days
    )::text as result
    ${MEMBER} join app.agent_levels as l on l.grade = u.agent_level ${MATURING} where u.auth_id = $1`,
  /**
   * Without a parameter, because an administrator reads the log of all members. pgbench would take an unquoted colon
   * for that of a variable.
   */
  release_log: `
    with page as materialized (select * from app.points_release_log order by add_time desc, id desc limit 20)
    select json_build_object(
      'list', (
        select json_agg(json_build_object(
          'id', g.id, 'uid', g.uid, 'nickname', (select u.nickname from app.users as u where u.uid = g.uid), 'frozen_before', g.frozen_before, 'release_points', g.release_points,
          'frozen_after', g.frozen_after, 'release_date', g.release_date, 'add_time', g.add_time
        ) order by g.add_time desc, g.id desc)
        from page as g
      ),
      'next_cursor', (
        select to_char(g.add_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.US"Z"') || '_' || g.id from page as g
        order by g.add_time desc, g.id desc offset 19
      ),
      'count', sum(r.users), 'statistics', json_build_object('total_released', sum(r.points), 'users', max(r.users), 'last_run', (
        select json_build_object(
          'release_date', l.release_date, 'users', l.users, 'points', l.points, 'failures', l.failures, 'cuts', l.cuts,
          'started_at', l.started_at, 'finished_at', l.finished_at
        )
        from app.release_runs as l order by l.release_date desc limit 1
      ))
    )::text as result
    from app.release_runs as r`,
} as const;
