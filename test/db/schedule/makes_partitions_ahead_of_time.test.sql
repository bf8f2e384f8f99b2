begin;
\ir ../support/fixture.psql
select plan(3);

select app.ensure_month_partitions('2031-05-20', '2031-07-01');
select is((select count(*) from pg_class where relname ~ '^user_bill_20310[567]$'), 3::bigint, 'every month from one date to the other');
select lives_ok($$ select app.ensure_month_partitions('2031-05-20', '2031-07-01') $$, 'again is harmless');
select is_empty($$ select relname from pg_class where relnamespace = 'app'::regnamespace and relispartition and relkind = 'r' and not relrowsecurity $$, 'with row-level security');

select * from finish();
rollback;
