begin;
\ir ../../support/fixture.psql
select plan(28);

insert into app.article_categories (title) values ('News');
select ok(app.is_link(value), format('%L is taken', value)) from unnest(array[
  '', 'https://example.com', 'HTTP://example.com/a?b=c:d#e', 'https://例子.中国/图.png', '/article/1', 'images/a.png',
    '?page=1', '#top', 'a/b:c'
]) as l (value);
select ok(not app.is_link(value), format('%s is not', to_json(value))) from unnest(array[
  'javascript:alert(1)', E'java\tscript:alert(1)', E'\u0001javascript:alert(1)', E' javascript:alert(1)',
    E'java\nscript:alert(1)', 'JAVASCRIPT:alert(1)',
  'data:text/html,x', 'vbscript:x', '//evil.example', '\\evil.example', 'https:\\evil.example', 'https://',
  'https:///evil', 'https://exa mple.com', U&'https://example.com/\202Egnp.exe',
  'ftp://example.com'
]) as l (value);
select throws_ok(
  format(
    'insert into app.articles (cid, title, %I) select max(id), ''x'', %L from app.article_categories', name,
    E'java\tscript:alert(1)'
  ),
  '23514', null, format('no article has it as %s', name)
)
from unnest(array['url', 'image_input']) as c (name);
select throws_ok(
  format('update app.settings set h5_share_url = %L', E'https://a\tb'), '23514', null,
  'the address of the share page cannot contain control characters'
);

select * from finish();
rollback;
