-- Compares only the order that holds the place now. The signal ends when a refund frees the place again.
create or replace function app.retaken_places(p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with examined as materialized (
    select s.order_id, s.uid, s.earner_uid, s.cycle_no, s.place, s.base, s.place_freed_at, s.place_freed_position as position
    from app.settlements as s
    where s.place_freed_at is not null and s.place_freed_position < p_before
    order by s.place_freed_position desc limit app.signal_read_limit()
  ), found as materialized (
    select e.*, t.order_id as taken_by, t.uid as taken_uid, t.base as taken_base, t.settled_at as taken_at, t.commission
    from examined as e
    join app.settlements as t
      on t.earner_uid = e.earner_uid and t.earner_uid is not null and t.cycle_no = e.cycle_no and t.place = e.place and t.place_freed_at is null
    where t.base > e.base
    order by e.position desc limit p_limit
  ), last_read as (
    select app.last_read(array(select f.position from found as f), array(select e.position from examined as e), p_limit) as position
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'retaken_place', 'uid', f.earner_uid, 'nickname', m.nickname, 'cycle_no', f.cycle_no, 'place', f.place, 'commission', f.commission::text,
        'freed', jsonb_build_object('order_id', f.order_id, 'uid', f.uid, 'nickname', b.nickname, 'base', f.base::text, 'time', app.utc(f.place_freed_at)),
        'taken', jsonb_build_object('order_id', f.taken_by, 'uid', f.taken_uid, 'nickname', t.nickname, 'base', f.taken_base::text, 'time', app.utc(f.taken_at))
      ) order by f.position desc), '[]')
      from found as f
      join app.users as m on m.uid = f.earner_uid
      join app.users as b on b.uid = f.uid
      join app.users as t on t.uid = f.taken_uid
    ),
    l.position,
    (select e.place_freed_at from examined as e where e.position = l.position)
  from last_read as l
$$;

comment on function app.retaken_places is
  'Returns a page of the places that refunds freed and that an order with a larger base holds now: those freed before position '
  'p_before, the latest first. next_cursor is where the next page begins, or null after the last. examined_to is the time back to which '
  'places were examined.';
