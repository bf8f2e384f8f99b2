-- The next members, by uid, who have something to be released and have no release of that business day yet.
-- Callers: release_frozen_points. Reads only; walks the primary key, so a chunk costs the same at any table size.
create or replace function app.release_candidates(p_release_date date, p_after_uid bigint, p_limit integer)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
-- One probe of the log's key for each; a merge would read every earlier day of the same members too.
set enable_mergejoin = off
set enable_hashjoin = off
as $$
  select array(
    select b.uid
    from app.user_balances as b
    where b.uid > p_after_uid and app.release_amount(b.frozen_points) > 0
      and not exists (select from app.points_release_log as l where l.uid = b.uid and l.release_date = p_release_date)
    order by b.uid
    limit p_limit
  )
$$;
