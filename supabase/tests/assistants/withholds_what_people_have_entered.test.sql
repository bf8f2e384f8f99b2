begin;
\ir ../support/fixture.psql
select plan(7);

select is(
  app.withhold('{"nickname": "Chen", "uid": 1}', '{nickname}'), '{"nickname": "withheld", "uid": 1}',
  'a field is withheld'
);
select is(
  app.withhold('{"list": [{"a": {"phone": "1"}}, 2, [{"phone": {"x": 1}}]]}', '{phone}'),
  '{"list": [{"a": {"phone": "withheld"}}, 2, [{"phone": "withheld"}]]}', 'at any depth, whatever it holds'
);
select is(app.withhold('{"nickname": null}', '{nickname}'), '{"nickname": null}', 'null says that there is none');
select is(
  app.withhold('{"price": "10.00", "n": 12345678901234567890.1234, "e": {}, "l": []}', '{nickname}'),
  '{"price": "10.00", "n": 12345678901234567890.1234, "e": {}, "l": []}', 'all else stays, to the last digit'
);
select is(app.withhold('"text"', '{nickname}'), '"text"', 'a value that is no object stays');
select is(
  array['reason'] <@ app.personal_fields('get_settlement'), false,
  'why a settlement paid nothing is a word of the store'
);
select is(
  array['name', 'number'] <@ app.personal_fields('get_signals'), true,
  'the ends of a name and of the number of a document are withheld'
);

select * from finish();
rollback;
