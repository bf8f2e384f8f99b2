begin;
\ir ../../support/fixture.psql
select plan(1);

-- The cursor of an export names a section by its number.
select results_eq(
  'select s.number from app.member_sections() as s order by s.number',
  'select generate_series(1, count(*)::integer) from app.member_sections()',
  'sections have the numbers from 1, without gaps or duplicates'
);

select * from finish();
rollback;
