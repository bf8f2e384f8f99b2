-- Walks the primary key, so that a chunk costs the same whatever the size of the table.
create or replace function app.release_candidates(p_release_date date, p_after_uid bigint, p_limit integer)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
-- With a nested loop, each member costs one lookup in the log; a merge join would also read all earlier days of these members.
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

comment on function app.release_candidates is
  'Returns the uids of the next p_limit members after p_after_uid who have something to release and no release of that '
  'business day yet.';
