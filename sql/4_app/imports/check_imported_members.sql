-- Compares with what was imported, not with what became of it in this store: balances with the opening balance.
create or replace function app.check_imported_members()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with members as materialized (
    select s.*, i.uid as known_uid
    from app.staged_members as s join app.imported_members as i on i.old_uid = s.uid::bigint
  ),
  openings as materialized (
    select b.* from app.user_bill as b where b.type = 'opening_balance' and b.uid in (select m.known_uid from members as m)
  ),
  levels as (
    select l.uid, l.to_level from app.level_changes as l where l.reason = 'imported' and l.uid in (select m.known_uid from members as m)
  )
  select 'warning', 'members', m.line, t.name, 'differs from what was imported before, and is not imported again', format('%s (imported: %s)', t.value, t.known)
  from members as m
  left join openings as b on b.uid = m.known_uid
  left join levels as l on l.uid = m.known_uid
  left join app.opening_cycles as c on c.uid = m.known_uid
  cross join lateral (values
    ('commission', coalesce(m.commission::numeric, 0), coalesce(b.brokerage_delta, 0)),
    ('frozen_points', coalesce(m.frozen_points::numeric, 0), coalesce(trim_scale(b.frozen_delta), 0)),
    ('available_points', coalesce(m.available_points::numeric, 0), coalesce(trim_scale(b.available_delta), 0)),
    ('level', coalesce(m.level::numeric, 0), coalesce(l.to_level, 0)),
    ('places', coalesce(m.places::numeric, 0), coalesce(c.places, 0))
  ) as t (name, value, known)
  -- If an opening balance is archived, there is nothing to compare with.
  where t.value <> t.known and not (t.name in ('commission', 'frozen_points', 'available_points') and m.known_uid in (
    select a.uid from app.archived_balances as a where a.opening_balances > 0
  ))
$$;

comment on function app.check_imported_members is
  'Finds staged members who were imported before and whose balances, level or places differ from what was imported then. A later import '
  'does not change them.';
