begin;
\ir ../../support/fixture.psql
select plan(3);

insert into app.schema_versions (version) values ('99.9.0'), ('99.10.0'), ('0.99.0');
select is(app.schema_version(), '99.10.0', 'by numbers, not by text');
select is(app.health_json(now()) ->> 'schema_version', '99.10.0', 'the health has it');
select throws_ok(
  $$ insert into app.schema_versions (version) values ('next') $$, '23514', null, 'a version is three numbers'
);

select * from finish();
rollback;
