begin;
\ir ../../support/fixture.psql
select plan(4);

delete from app.settlement_jobs;
create temporary table t as select line, number
  from unnest(string_to_array(app.metrics_text(now()), E'\n')) with ordinality as l (line, number);

select is(
  (select array_agg(line order by number) from t where line like '%store_settlement_jobs%'),
  array[
    '# HELP store_settlement_jobs Orders whose settlement is waiting, or dead: it failed for good.',
      '# TYPE store_settlement_jobs gauge',
    'store_settlement_jobs{state="dead"} 0', 'store_settlement_jobs{state="waiting"} 0'
  ], 'a measure has its help, its type and its samples'
);
select is(
  (select array_agg(line) from t where line like 'store_settlement_oldest_seconds%'),
  array['store_settlement_oldest_seconds 0'], 'a sample without labels has no braces'
);
select is(
  (
    select array_agg(line) from t
    where line <> '' and line !~ '^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"\\]+"\})? -?[0-9]+(\.[0-9]+)?)$'
  ),
  null, 'every line is a comment or a sample'
);
select is(right(app.metrics_text(now()), 1), E'\n', 'the text ends with a line feed');

select * from finish();
rollback;
