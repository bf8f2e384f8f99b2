begin;
\ir ../../support/fixture.psql
select plan(24);

create temporary table a as select '{"name": "Lin", "phone": "13800000000", "region": ["广东省"], "street": "Nanhai Road 1"}'::jsonb as address;
create function pg_temp.with(p_part text, p_value anyelement) returns boolean language sql as $$
  select app.is_address(address || jsonb_build_object(p_part, p_value)) from a
$$;

select is(pg_temp.with('name', repeat('林', n)), is_taken, format('a name of %s characters', n))
from (values (0, false), (1, true), (64, true), (65, false)) as c (n, is_taken);
select is(pg_temp.with('street', repeat('路', n)), is_taken, format('a street of %s characters', n))
from (values (0, false), (1, true), (200, true), (201, false)) as c (n, is_taken);
select is(pg_temp.with('region', array_fill('省'::text, array[n])), is_taken, format('%s regions', n))
from (values (0, false), (1, true), (6, true), (7, false)) as c (n, is_taken);
select is(pg_temp.with('region', array['广东省', repeat('市', n)]), is_taken, format('a region of %s characters', n))
from (values (0, false), (1, true), (64, true), (65, false)) as c (n, is_taken);
select is(pg_temp.with('phone', c.phone), c.is_taken, format('the phone number %s', c.phone)) from (values
  ('1234', false), ('12345', true), (repeat('1', 24), true), (repeat('1', 25), false), ('+' || repeat('1', 24), true),
    ('+' || repeat('1', 25), false), ('1234-', false), ('1 - 2', true)
) as c (phone, is_taken);

select * from finish();
rollback;
