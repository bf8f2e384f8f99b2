begin;
\ir ../../support/fixture.psql
select plan(32);

create temporary table a as select '{"name": "Lin", "phone": "+86 138-0000 0000", "region": ["广东省", "深圳市"], "street": "Nanhai Road 1"}'::jsonb as address;
select ok(app.is_address(address), 'a whole one') from a;
select ok(not app.is_address(address - part), format('without %s', part))
from a, unnest('{name,phone,region,street}'::text[]) as part;
select ok(not app.is_address(address || change), change::text)
from a, (values
  ('{"name": " "}'::jsonb), ('{"name": 1}'), ('{"phone": "none"}'), ('{"phone": "1"}'), ('{"region": []}'),
    ('{"region": ["a", 1]}'), ('{"region": "a"}'),
  ('{"region": ["\u200b"]}'), ('{"street": ""}'), ('{"more": 1}')
) as c (change);
select ok(
  not app.is_address(
    address
    || jsonb_build_object(
      part,
      case part when 'region' then to_jsonb(array['A' || chr(code) || 'B']) else to_jsonb('A' || chr(code) || 'B') end
    )
  ),
  format('character %s in %s', code, part)
)
from a, unnest('{name,region,street}'::text[]) as part, (values (9), (10), (13), (8203), (8238)) as c (code);
select ok(not coalesce(app.is_address(v), false), v::text) from (values ('[]'::jsonb), ('"a"')) as c (v);

select * from finish();
rollback;
