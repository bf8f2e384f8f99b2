-- Locks: the advisory lock team_totals, which it does not wait for. No other lock that another transaction can wait for.
-- Idempotent: taken rows are gone with the commit that adds them.
create or replace function app.sum_team_changes(p_limit integer default 1000)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_as_of timestamptz;
  v_uids bigint[];
  v_taken integer;
begin
  if not pg_try_advisory_xact_lock(app.lock_number('team_totals')) then
    return false;
  end if;
  -- Before the statement that takes the rows: it sees whatever was committed until then.
  v_as_of := clock_timestamp();
  with taken as (
    delete from app.team_changes as c
    where c.ctid = any (array(select q.ctid from app.team_changes as q limit p_limit))
    returning c.uid
  )
  select array_agg(distinct t.uid), count(*) into v_uids, v_taken from taken as t;
  if v_taken > 0 then
    perform app.apply_team_changes(v_uids);
  end if;
  if v_taken < p_limit then
    update app.team_totals_as_of as t set as_of = v_as_of where t.id;
  end if;
  return v_taken = p_limit;
end
$$;

comment on function app.sum_team_changes is
  'Takes up to p_limit rows from the queue of team changes, adds them to the team totals, and returns whether more may be left. '
  'If another transaction is summing, it does nothing and returns false. When the queue is empty, the totals are dated.';
