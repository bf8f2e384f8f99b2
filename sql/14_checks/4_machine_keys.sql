-- Which machine keys need somebody: they end, stand still, or have lost scopes.

create or replace function app.verify_machine_keys()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'machine_keys', case when k.names is null then 'ok' else 'warning' end, 'machine keys',
    case
      when k.names is null then 'every key has an owner whose roles allow its scopes, and works for more than 30 days'
      else format('stop within 30 days or have stopped with their owner (date), or have lost scopes with their owner''s role (scopes): %s', k.names)
    end,
    'Hand a key of somebody who left, is blocked or has another role over to an administrator who may do what it does, or make a new one; replace one that expires. Revoke what nothing uses.'
  from (
    select string_agg(format('%s (%s)', m.name, concat_ws('; ', s.stops_on, s.lost)), ', ' order by app.key_ends_at(m), m.id) as names
    from app.machine_keys as m
    cross join lateral (select app.key_state(m, clock_timestamp()) as state) as k
    cross join lateral (
      select
        case when k.state = 'blocked' or app.key_ends_at(m) < clock_timestamp() + interval '30 days' then to_char(app.key_ends_at(m), 'YYYY-MM-DD') end as stops_on,
        case when k.state = 'active' then nullif(array_to_string(app.lost_scopes(m), ', '), '') end as lost
    ) as s
    where k.state in ('active', 'blocked') and (s.stops_on is not null or s.lost is not null)
  ) as k
$$;

comment on function app.verify_machine_keys is
  'Checks that every machine key that works has an owner whose roles allow its scopes, and more than 30 days left, and names those that do not, with the day on which they end or '
  'the scopes that they have lost. Returns check, severity, subject, message and hint.';
