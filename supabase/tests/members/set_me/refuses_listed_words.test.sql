begin;
\ir ../../support/fixture.psql
select plan(16);
grant store_api to postgres;

create temporary table m as select pg_temp.sign_up() as uid;
create function pg_temp.rename(p_nickname text) returns text language sql as $$
  select left(
    pg_temp.call(
      (select u.auth_id from app.users as u, m where u.uid = m.uid), 'set_me',
      jsonb_build_object('p_nickname', p_nickname), 'authenticated'
    ),
    22
  )
$$;

select is(left(pg_temp.rename('Casino King'), 1), '{', 'without a list, every word is allowed');
select from app.set_settings('{"refused_words": ["Cas ino", "ＣＡＳＩＮＯ", "赌 博", "a.b"]}', now());
select is(
  (select s.refused_words from app.settings as s), '{casino, 赌博, a.b}',
  'words are stored as they are compared, each once'
);
select is(pg_temp.rename(c.nickname), 'PT422 text_not_allowed', format('%s is refused', c.sentence)) from (values
  ('casino', 'a word'), ('My CaSiNo 9', 'one in another case within a text'), ('ｃａｓｉｎｏ', 'one in wide letters'),
    ('c a s　i n o', 'one with blanks'),
  (U&'cas\200Dino', 'one with a joiner that nobody sees'), ('我爱赌博', 'a Chinese one'), ('赌 博', 'one with a blank'),
  ('a.b', 'one with a dot')
) as c (nickname, sentence);
select is(left(pg_temp.rename(c.nickname), 1), '{', format('%s is allowed', c.sentence)) from (values
  ('casin', 'a part of a word'), ('axb', 'a text that a pattern would match'), ('博赌', 'another order of the characters')
) as c (nickname, sentence);
select is((select u.nickname from app.users as u, m where u.uid = m.uid), '博赌', 'what was refused changed nothing');
select from app.set_settings('{}', now());
select is(pg_temp.rename('casino'), 'PT422 text_not_allowed', 'null leaves the list');
select from app.set_settings('{"refused_words": []}', now());
select is(left(pg_temp.rename('casino'), 1), '{', 'an empty list allows all words');

select * from finish();
rollback;
