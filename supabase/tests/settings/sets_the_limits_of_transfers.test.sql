begin;
\ir ../support/fixture.psql
select plan(14);

create function pg_temp.limits() returns text language sql as $$
  select concat_ws(' ', s.transfer_minimum, s.transfer_maximum, s.transfer_name_from) from app.settings as s
$$;
select is(pg_temp.limits(), '0.10 2000.00', 'a new store has the limits of WeChat and no maximum of its own');
select throws_ok(format('select app.set_settings(%L, now())', c.changes), 'PT422', 'invalid_argument', c.sentence)
from (values
  ('{"transfer_minimum": 0}', 'a minimum of nothing'), ('{"transfer_minimum": 0.105}', 'or of parts of a cent'),
    ('{"transfer_minimum": 1000000.01}', 'or of more than a million'),
  ('{"transfer_maximum": 0.09}', 'a maximum below the minimum'),
  ('{"transfer_minimum": 20, "transfer_maximum": 19}', 'of the same request'),
  ('{"transfer_maximum": -1}', 'or negative'), ('{"transfer_maximum": 1e15}', 'or too large'),
  ('{"transfer_name_from": 0.29}', 'a name from less on than WeChat takes one'),
  ('{"transfer_name_from": 2000.01}', 'or only from more on than WeChat demands one'),
  ('{"transfer_name_from": 0.305}', 'or from parts of a cent on')
) as c (changes, sentence);
select from app.set_settings('{"transfer_minimum": 0.3, "transfer_maximum": 200, "transfer_name_from": 1000}', now());
select is(pg_temp.limits(), '0.30 200.00 1000.00', 'all can be changed');
select from app.set_settings('{"transfer_maximum": 0}', now());
select is(pg_temp.limits(), '0.30 1000.00', 'a maximum of 0 removes the limit; what is not named stays');
select lives_ok($$ select app.set_settings('{}', now()) $$, 'nothing can be changed, too');

select * from finish();
rollback;
