begin;
\ir ../../support/fixture.psql
select plan(31);

delete from app.carriers where code in ('AA', 'AB', 'AC', 'BA', 'BB', 'BC');
insert into app.carriers (code, name, name_zh, is_active) values
  ('AA', 'Alpha', '甲乙丙快递', true), ('AB', 'AC', '甲乙丙', false), ('AC', 'Gamma', '甲乙丁戊己庚', true),
    ('BA', 'Beta', '甲乙丁戊', true), ('BB', 'Delta', '子丑寅卯', true), ('BC', 'Epsilon', '子丑寅辰', false);

select is((app.find_carrier(c.text)).code, c.code, c.sentence) from (values
  ('AA', 'AA', 'a code'), ('aa', 'AA', 'in any case'), ('alpha', 'AA', 'an English name in any case'),
    ('Alph', null, 'but not its beginning'), ('甲乙丙快递', 'AA', 'a Chinese name'),
  ('AC', 'AC', 'a code comes before a name'),
  ('甲乙丙', 'AB', 'a whole name, also of one that is not in use, before a beginning'),
  ('甲乙丁戊', 'BA', 'also if another begins with it'),
  ('甲乙丁戊己', 'AC', 'the beginning of one Chinese name'), ('甲乙丁', null, 'but not of two'),
  ('甲乙丙快递公司', null, 'nor a name with more behind it'), ('子丑寅', 'BB', 'of which only those in use count'),
  ('甲', null, 'one character is not enough'),
  ('乙丙', null, 'the end of a name is none'), ('', null, 'an empty text names none'), (null, null, 'nor does none')
) as c (text, code, sentence);

-- The carriers of a new store, by the names that people and their files use.
delete from app.carriers where code in ('AA', 'AB', 'AC', 'BA', 'BB', 'BC');
select is((app.find_carrier(c.text)).code, c.code, coalesce(c.code, 'none') || ' is meant by ' || c.text) from (values
  ('顺丰快递', 'SF'), ('顺丰', 'SF'), ('韵达快递', 'YD'), ('京东快递', 'JD'), ('圆通速递有限公司', 'YTO'), ('申通物流', 'STO'), ('极兔快递', 'JTSD'),
    ('德邦物流', 'DBL'),
  ('中国邮政', 'YZPY'), ('邮政EMS', 'EMS'), ('中国邮政速递物流', 'EMS'), ('ｅｍｓ 快递', 'EMS'),
  -- Freight and errands are of other companies.
  ('中通快运', null), ('顺丰同城', null), ('快递', null)
) as c (text, code);

select * from finish();
rollback;
