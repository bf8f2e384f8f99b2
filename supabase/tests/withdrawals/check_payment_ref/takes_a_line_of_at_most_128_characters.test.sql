begin;
\ir ../../support/fixture.psql
select plan(7);

select lives_ok(format('select app.check_payment_ref(%L)', c.ref), c.sentence)
from (values ('1', 'one character'), (repeat('凭', 128), '128 characters'), (null, 'no reference')) as c (ref, sentence);
select throws_ok(format('select app.check_payment_ref(%L)', c.ref), 'PT422', 'invalid_argument', c.sentence)
from (
  values ('', 'an empty one is refused'), (' ', 'a blank one'), (E'1\n2', 'one of two lines'),
  (repeat('凭', 129), 'one of 129 characters')
) as c (ref, sentence);

select * from finish();
rollback;
