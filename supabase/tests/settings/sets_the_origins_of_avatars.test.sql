begin;
\ir ../support/fixture.psql
select plan(19);

create function pg_temp.origins() returns text[] language sql as 'select s.avatar_origins from app.settings as s';
select is(
  pg_temp.origins(), '{https://thirdwx.qlogo.cn, https://wx.qlogo.cn}', 'a new store allows the pictures of WeChat'
);
select throws_ok(
  format('select app.set_settings(%L, now())', jsonb_build_object('avatar_origins', c.value::jsonb)), 'PT422',
  'invalid_argument', format('%s is rejected', c.sentence)
)
from (values
  ('["http://example.com"]', 'http'), ('["https://example.com/"]', 'a path'), ('["https://example.com?a"]', 'a query'),
    ('["https://a@example.com"]', 'a name'),
  ('["https://*.example.com"]', 'a wildcard'), ('["example.com"]', 'a host alone'), ('[""]', 'an empty text'),
  ('[null]', 'null'), ('["https://example.com", "http://example.com"]', 'one of several that is none'),
  ('{}', 'a value that is no list'),
  (
    (select jsonb_agg('https://' || n || '.example.com' order by n)::text from generate_series(1, 21) as n),
    'a list of 21'
  )
) as c (value, sentence);
select
from app.set_settings(
  '{"avatar_origins": ["https://CDN.example.com:8443", "https://a.example.com", "https://cdn.example.com:8443"]}', now()
);
select is(
  pg_temp.origins(), '{https://cdn.example.com:8443, https://a.example.com}',
  'origins are stored in lower case, each once, in the given order'
);
select from app.set_settings('{"avatar_origins": null}', now());
select is(cardinality(pg_temp.origins()), 2, 'null changes nothing');
select from app.set_settings('{"avatar_origins": []}', now());
select is(pg_temp.origins(), '{}', 'an empty list leaves the origins of the store itself');
select ok(app.are_https_origins('{}'), 'nothing in it is wrong');
select is(
  app.are_https_origins(array['https://' || repeat('a.', (192 - 4) / 2) || repeat('b', n)]), n = 4,
  format('of %s characters', 196 + n)
)
from unnest(array[4, 5]) as n;
select throws_ok(
  $$update app.settings set avatar_origins = '{https://example.com/a}'$$, '23514', null,
  'the table takes nothing else, either'
);

select * from finish();
rollback;
