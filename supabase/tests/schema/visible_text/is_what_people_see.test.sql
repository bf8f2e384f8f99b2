begin;
\ir ../../support/fixture.psql
select no_plan();

create temporary table nothing (name text, value text);
insert into nothing values ('blanks', '   '), ('tabs and line breaks', E'\t\r\n\u000B\u2028\u0085'),
  ('right-to-left overrides', U&'\202E\202E\2066\2069'),
  ('zero-width characters', U&'\200B\200C\200D\FEFF\2060'), ('blanks of other scripts', U&'\3000\00A0\1680\2003'),
  ('fillers', U&'\3164\115F\FFA0\2800'),
  ('selectors and tags', U&'\FE0F\+0E0041'),
  ('control signs of music, shorthand and hieroglyphs', U&'\+01D173\+01D159\+01BCA0\+013430'),
  ('noncharacters', U&'\180F\FFFE');
select is(app.visible_text(value), null, format('nothing is seen of %s', name)) from nothing;
select throws_ok(
  format('insert into app.products (title, price) values (%L, 1)', value), '23514', null,
  format('no product is called %s', name)
)
from nothing;
select throws_ok(
  format('insert into app.article_categories (title) values (%L)', value), '23514', null,
  format('no category is called %s', name)
)
from nothing;

select is(app.visible_text(E' Ann \t\n Lee '), 'Ann Lee', 'white space becomes single blanks');
select is(
  app.visible_text(U&'a\202Egnp.exe\200B'), 'agnp.exe',
  'characters that change the direction or have no width are removed'
);
select is(
  app.visible_text(U&'\+01F468\200D\+01F469\200D\+01F467 \2764\FE0F'),
  U&'\+01F468\200D\+01F469\200D\+01F467 \2764\FE0F', 'emoji are unchanged'
);
select is(app.visible_text(U&'\5F20\4F1F\3000\5148\751F'), U&'\5F20\4F1F \5148\751F', 'Chinese is unchanged');

-- A sign-up is never rejected because of the nickname, which is cleaned.
create function pg_temp.nickname(p_given text) returns text language plpgsql as $$
declare
  v_id uuid := gen_random_uuid();
begin
  insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (
    now(), v_id, v_id || '@example.com', jsonb_build_object('nickname', p_given, 'avatar', E'java\tscript:alert(1)')
  );
  return (select u.nickname || coalesce(u.avatar, '') from app.users as u where u.auth_id = v_id);
end $$;
select is(
  pg_temp.nickname(string_agg(value, '')), 'Member', 'a nickname without visible characters becomes the default'
)
from nothing;
select is(pg_temp.nickname(U&'\202E' || E'Ann\t\tLee\n'), 'Ann Lee', 'another nickname is cleaned');
select is(
  pg_temp.nickname(repeat(U&'\200D', 64) || 'Ann'), 'Member',
  'a nickname whose first 64 characters are invisible becomes the default'
);
select throws_ok(
  format('update app.users set nickname = %L where uid = (select max(uid) from app.users)', E'\t\n'), '23514', null,
  'the table rejects a nickname without visible characters'
);
select throws_ok(
  $$ update app.settings set site_name = E'\t' $$, '23514', null,
  'the table rejects a site name without visible characters'
);

select * from finish();
rollback;
