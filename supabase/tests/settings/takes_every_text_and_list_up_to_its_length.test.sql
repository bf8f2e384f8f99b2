begin;
\ir ../support/fixture.psql
select plan(42);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.outcome(p_name text, p_value jsonb) returns text language sql as $$
  select case when a.answer like '{%' then 'taken' else left(a.answer, 22) end
  from admins cross join lateral pg_temp.set_settings(admins.id, jsonb_build_object(p_name, p_value)) as a (answer)
$$;
create function pg_temp.filled(p_start text, p_length integer, p_end text default '') returns jsonb language sql as $$
  select to_jsonb(p_start || repeat('a', p_length - char_length(p_start) - char_length(p_end)) || p_end)
$$;
create function pg_temp.many(p_count integer, p_format text) returns jsonb language sql as $$
  select jsonb_agg(format(p_format, n)::jsonb order by n) from generate_series(1, p_count) as n
$$;

select is(pg_temp.outcome(c.name, c.value), 'taken', c.sentence) from (values
  ('site_name', pg_temp.filled('', 1), 'a store name of one character'),
    ('site_name', pg_temp.filled('店', 100), 'of a hundred'),
  ('h5_share_url', pg_temp.filled('https://', 500), 'a share link of 500 characters'),
  ('logo', pg_temp.filled('https://', 1000), 'a logo of 1000'),
  ('avatar_origins', jsonb_build_array(pg_temp.filled('https://', 200)), 'an origin of 200 characters'),
  ('avatar_origins', pg_temp.many(20, '"https://%s.example.com"'), 'twenty origins'),
  ('payment_query_minutes', pg_temp.many(10, '%s'), 'ten times to look up a payment'),
  ('time_zone', '"America/New_York"', 'a time zone that exists'),
  ('contact_phone', '"+86 400-820-8820"', 'a phone number'),
  ('contact_wechat', pg_temp.filled('', 64), 'a WeChat ID of 64 characters'),
  ('contact_hours', pg_temp.filled('', 100), 'hours of 100'),
  ('contact_phone', '""', 'no phone number'), ('contact_wechat', '""', 'no WeChat ID'),
  ('contact_hours', '""', 'no hours'),
  ('refused_words', pg_temp.many(500, '"word %s"'), '500 words'),
  ('refused_words', jsonb_build_array(pg_temp.filled('', 50)), 'a word of 50 characters'),
  ('refused_words', '[]', 'no words'),
  ('tax_from', '"2024-02-29"', 'a leap day'), ('tax_from', '""', 'no day'), ('assistants', 'true', 'a switch')
) as c (name, value, sentence);
select is(pg_temp.outcome(c.name, c.value), 'PT422 invalid_argument', c.sentence || ' is refused') from (values
  ('site_name', pg_temp.filled('', 0), 'a store name of no character'),
    ('site_name', pg_temp.filled('店', 101), 'one of 101'),
  ('h5_share_url', pg_temp.filled('https://', 501), 'a share link of 501 characters'),
  ('logo', pg_temp.filled('https://', 1001), 'a logo of 1001'),
  ('avatar_origins', jsonb_build_array(pg_temp.filled('https://', 201)), 'an origin of 201 characters'),
  ('avatar_origins', pg_temp.many(21, '"https://%s.example.com"'), 'a list of 21 origins'),
  ('payment_query_minutes', pg_temp.many(11, '%s'), 'a list of 11 times'),
  ('colour', '"#12345"', 'a colour of five digits'), ('colour', '"#1234567"', 'one of seven'),
  ('colour', '"#12345g"', 'one with another letter'), ('time_zone', '"Mars/Olympus"', 'another time zone'),
  ('contact_phone', '"call us"', 'a phone number without digits'),
  ('contact_phone', '"<script>1234</script>"', 'one with markup'),
  ('contact_wechat', pg_temp.filled('', 65), 'a WeChat ID of 65 characters'),
  ('contact_wechat', '"a\nb"', 'one of two lines'),
  ('contact_hours', pg_temp.filled('', 101), 'hours of 101'), ('contact_hours', '" "', 'blank hours'),
  ('refused_words', pg_temp.many(501, '"word %s"'), 'a list of 501 words'),
  ('refused_words', jsonb_build_array(pg_temp.filled('', 51)), 'a word of 51 characters'),
  ('refused_words', '[" \u200b"]', 'a word that nobody sees'), ('refused_words', '{}', 'a value that is no list'),
  ('tax_from', '"2025-02-29"', 'a day that is none')
) as c (name, value, sentence);

select * from finish();
rollback;
