begin;
\ir ../support/fixture.psql
select plan(14);

create function pg_temp.limits() returns text language sql as $$
  select concat_ws(' ', s.transfer_minimum, s.transfer_maximum, s.transfer_name_from) from app.settings as s
$$;
select is(pg_temp.limits(), '0.10 2000.00', 'a new store has the limits of WeChat and no maximum of its own');
select throws_ok(format('select app.set_transfer_limits(%s)', c.args), 'PT422', 'invalid_argument', c.sentence) from (values
  ('0, null, null', 'a minimum of nothing'), ('0.105, null, null', 'or of parts of a cent'), ('1000000.01, null, null', 'or of more than a million'),
  ('null, 0.09, null', 'a maximum below the minimum'), ('20, 19, null', 'of the same request'), ('null, -1, null', 'or negative'), ('null, 1e15, null', 'or too large'),
  ('null, null, 0.29', 'a name from less on than WeChat takes one'), ('null, null, 2000.01', 'or only from more on than WeChat demands one'), ('null, null, 0.305', 'or from parts of a cent on')
) as c (args, sentence);
select from app.set_transfer_limits(0.3, 200, 1000);
select is(pg_temp.limits(), '0.30 200.00 1000.00', 'all can be changed');
select from app.set_transfer_limits(null, 0, null);
select is(pg_temp.limits(), '0.30 1000.00', 'a maximum of 0 removes the limit; what is not named stays');
select lives_ok('select app.set_transfer_limits(null, null, null)', 'nothing can be changed, too');

select * from finish();
rollback;
