begin;
\ir ../../support/fixture.psql
select plan(7);

select lives_ok(format('select app.check_name(%L)', c.name), c.sentence)
from (values ('L', 'one character'), (repeat('李', 64), '64 characters'), (null, 'no name')) as c (name, sentence);
select throws_ok(format('select app.check_name(%L)', c.name), 'PT422', 'invalid_argument', c.sentence)
from (
  values ('', 'an empty name is refused'), (' ', 'a blank one'), (E'Li\nLei', 'one of two lines'),
  (repeat('李', 65), 'one of 65 characters')
) as c (name, sentence);

select * from finish();
rollback;
