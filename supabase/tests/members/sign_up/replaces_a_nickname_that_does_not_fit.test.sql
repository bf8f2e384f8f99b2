begin;
\ir ../../support/fixture.psql
select plan(5);

select from app.set_settings('{"refused_words": ["casino"]}', now());
insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data)
select now(), n.id::uuid, n.id || '@example.com', jsonb_build_object('nickname', n.nickname)
from (values
  ('00000000-0000-4000-8000-0000000000c1', repeat('名', 65)), ('00000000-0000-4000-8000-0000000000c2', '   '),
  ('00000000-0000-4000-8000-0000000000c3', '  Li  '), ('00000000-0000-4000-8000-0000000000c4', ''),
  ('00000000-0000-4000-8000-0000000000c5', 'Casi no King')
) as n (id, nickname);
select is((select u.nickname from app.users as u where u.auth_id = n.id::uuid), n.expected, n.sentence)
from (values
  ('00000000-0000-4000-8000-0000000000c1', repeat('名', 64), 'a long one is cut to 64 characters'),
    ('00000000-0000-4000-8000-0000000000c2', 'Member', 'one of blanks is none'),
  ('00000000-0000-4000-8000-0000000000c3', 'Li', 'blanks around it go'),
  ('00000000-0000-4000-8000-0000000000c4', 'Member', 'an empty one is none'),
  ('00000000-0000-4000-8000-0000000000c5', 'Member', 'one with a refused word is none')
) as n (id, expected, sentence);

select * from finish();
rollback;
