begin;
\ir ../../support/fixture.psql
select plan(5);

select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);
select lives_ok(
  $$ select api.get_release_log(p_date_from => '0001-01-01', p_date_to => '9999-12-31') $$,
  'the first and the last day are accepted'
);
select throws_ok(
  format($$ select api.get_release_log(%s => %L) $$, argument, day), 'PT422', 'invalid_argument',
  format('%s is no %s', day, argument)
)
from (values
  -- The last day of Postgres that is a timestamp: the next one is not.
  ('p_date_to', '294276-12-31'),
  ('p_date_to', 'infinity'),
  ('p_date_from', '5874897-12-31'),
  ('p_date_from', '4713-01-01 BC')
) as bad (argument, day);

select * from finish();
rollback;
