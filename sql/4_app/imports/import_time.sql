-- Has no set clause, so that the planner can inline it.
-- Precondition: the text matches the pattern of a time in app.import_kinds.
create or replace function app.import_time(p_text text, p_zone text)
returns timestamptz
language sql
stable
parallel safe
as $$
  select case
    when p_text is null then null
    when pg_catalog.substr(p_text, 9, 2)::pg_catalog.int4 > 28 and pg_catalog.substr(p_text, 9, 2)::pg_catalog.int4 > extract(day from
      pg_catalog.make_date(pg_catalog.substr(p_text, 1, 4)::pg_catalog.int4, pg_catalog.substr(p_text, 6, 2)::pg_catalog.int4, 1) + interval '1 month -1 day'
    ) then null
    when p_text ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then p_text::pg_catalog.timestamptz
    else p_text::pg_catalog.timestamp at time zone p_zone
  end
$$;

comment on function app.import_time is
  'Returns a time of an import, or null if the month has no such day. A time without an offset is in p_zone.';
