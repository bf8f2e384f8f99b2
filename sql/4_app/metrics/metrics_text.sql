-- In a JSON string, quotes, backslashes and line feeds are escaped as in the label values of Prometheus.
create or replace function app.metrics_text(p_now timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(g.lines, '' order by g.name)
  from (
    select m.name, format(E'# HELP %1$s %2$s\n# TYPE %1$s gauge\n', m.name, m.help)
      || string_agg(format(E'%s%s %s\n', m.name, '{' || l.pairs || '}', trim_scale(round(m.value, 3))), '' order by l.pairs) as lines
    from app.metrics(p_now) as m
    cross join lateral (
      select string_agg(format('%s=%s', e.key, e.value), ',' order by e.key) as pairs from jsonb_each(m.labels) as e
    ) as l
    group by m.name, m.help
  ) as g
$$;

comment on function app.metrics_text is
  'Returns app.metrics in the text format of Prometheus (version 0.0.4). All metrics are gauges.';
