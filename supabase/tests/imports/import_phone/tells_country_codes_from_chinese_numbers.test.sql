begin;
\ir ../../support/fixture.psql
select plan(7);

select is(app.import_phone(t.text), t.number, t.sentence) from (values
  ('138 0000 0000', '8613800000000', 'eleven digits that begin with 1 are a Chinese number'),
  ('+86 138-0000-0000', '8613800000000', 'a country code may stand before them'),
  ('0086 13800000000', '8613800000000', 'a country code may begin with 00'),
  ('+1 303-555-1234', '13035551234', 'the country code 1 is no part of a Chinese number'),
  ('001 303 555 1234', '13035551234', 'the country code 001 is no part of a Chinese number'),
  ('12345', null, 'a short number is no phone number'),
  ('not a number', null, 'a text is no phone number')
) as t (text, number, sentence);

select * from finish();
rollback;
