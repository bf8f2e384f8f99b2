-- The clock of the server: what the last heartbeat and a second clock say about it, and which time jobs may trust.

-- Six hours: a restart, an upgrade or a failover takes less, and a clock that is wrong by less releases at most one
-- day, hours too early.
create or replace function app.clock_state(p_now timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce((
    select case
      when p_now > c.trusted_at + interval '6 hours' then 'doubtful'
      when c.differs_by is not null then 'differs'
      else 'ok'
    end
    from app.clock as c
  ), 'ok')
$$;

comment on function app.clock_state is
  'Returns doubtful if the clock was last trusted more than six hours before p_now, differs if a second clock '
  'disagrees, otherwise ok.';

grant execute on function app.clock_state(timestamptz) to store_admin;

-- Locks: the one row of the clock, at most once a minute.
create or replace function app.beat_clock(p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.clock (trusted_at) select p_now where not exists (select from app.clock) on conflict do nothing;
  update app.clock as c set trusted_at = p_now
  where c.trusted_at < p_now - interval '1 minute' and app.clock_state(p_now) = 'ok'
$$;

comment on function app.beat_clock is
  'Records a heartbeat of the scheduler, unless the clock is doubtful or a second clock disagrees.';

-- Locks: the one row of the clock.
-- Idempotent: the last confirmation counts.
create or replace function app.confirm_clock()
returns timestamptz
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.clock as c (trusted_at) values (clock_timestamp())
  on conflict (id) do update set trusted_at = excluded.trusted_at, differs_by = null
  returning c.trusted_at
$$;

comment on function app.confirm_clock is
  'Records that the owner of the store finds the clock of the database right, and returns its time '
  '(docs/operations.md).';

create or replace function app.clock_tolerance()
returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select interval '5 minutes'
$$;

comment on function app.clock_tolerance is 'Returns by how much two clocks that are right may differ.';

-- A clock that agrees is trusted also where it is behind the last heartbeat: that heartbeat was then wrong.
-- Locks: the one row of the clock, only where something changes.
-- Idempotent: the last report counts.
create or replace function app.hear_clock(p_clock timestamptz, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.clock (trusted_at) select least(p_clock, p_now)
  where not exists (select from app.clock) on conflict do nothing;
  update app.clock as c
  set trusted_at = case when h.agrees then p_now else c.trusted_at end,
    differs_by = case when not h.agrees then h.difference end
  from (
    select date_trunc('minute', p_now - p_clock) as difference,
      p_now - p_clock between -app.clock_tolerance() and app.clock_tolerance() as agrees
  ) as h
  where case
    when h.agrees then c.differs_by is not null or c.trusted_at not between p_now - interval '1 minute' and p_now
    else c.differs_by is distinct from h.difference
  end
$$;

comment on function app.hear_clock is
  'Compares the clock of the database, p_now, with a second one, p_clock. Records that the clock is trusted, or the '
  'difference.';

-- For what becomes due by time alone and cannot be undone: a day that never came must not expire, receive or forget
-- anything.
create or replace function app.trusted_time(p_now timestamptz)
returns timestamptz
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := app.effect_time(p_now);
begin
  if p_now is null and app.clock_state(v_now) = 'doubtful' then
    return (select c.trusted_at from app.clock as c);
  end if;
  return v_now;
end
$$;

comment on function app.trusted_time is
  'Returns p_now. If it is null: the current time, or, while the clock is doubtful, the time at which it was last '
  'trusted.';
