begin;
\ir ../../support/fixture.psql
select plan(2);

select is_empty(
  'select * from app.manifest_differences()', 'the catalogue is as the manifest says; if not, run: npm run gen'
);
select is(
  (select format('%s %s', v.severity, v.subject) from app.verify_manifest() as v), 'ok database',
  'the check says so in one row'
);

select * from finish();
rollback;
