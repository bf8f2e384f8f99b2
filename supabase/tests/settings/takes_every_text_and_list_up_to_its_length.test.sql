begin;
\ir ../support/fixture.psql
select plan(38);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.outcome(p_name text, p_value jsonb) returns text language sql as $$
  select case when a.answer like '{%' then 'taken' else left(a.answer, 22) end
  from admins cross join lateral pg_temp.call(admins.id, 'set_settings', jsonb_build_object(p_name, p_value)) as a (answer)
$$;
create function pg_temp.filled(p_start text, p_length integer, p_end text default '') returns jsonb language sql as $$
  select to_jsonb(p_start || repeat('a', p_length - char_length(p_start) - char_length(p_end)) || p_end)
$$;
create function pg_temp.many(p_count integer, p_format text) returns jsonb language sql as $$
  select jsonb_agg(format(p_format, n)::jsonb order by n) from generate_series(1, p_count) as n
$$;

select is(pg_temp.outcome(c.name, c.value), 'taken', c.sentence) from (values
  ('p_site_name', pg_temp.filled('', 1), 'a store name of one character'), ('p_site_name', pg_temp.filled('店', 100), 'of a hundred'),
  ('p_h5_share_url', pg_temp.filled('https://', 500), 'a share link of 500 characters'), ('p_logo', pg_temp.filled('https://', 1000), 'a logo of 1000'),
  ('p_avatar_origins', jsonb_build_array(pg_temp.filled('https://', 200)), 'an origin of 200 characters'), ('p_avatar_origins', pg_temp.many(20, '"https://%s.example.com"'), 'twenty origins'),
  ('p_payment_query_minutes', pg_temp.many(10, '%s'), 'ten times to look up a payment'), ('p_time_zone', '"America/New_York"', 'a time zone that exists'),
  ('p_contact_phone', '"+86 400-820-8820"', 'a phone number'), ('p_contact_wechat', pg_temp.filled('', 64), 'a WeChat ID of 64 characters'), ('p_contact_hours', pg_temp.filled('', 100), 'hours of 100'),
  ('p_contact_phone', '""', 'no phone number'), ('p_contact_wechat', '""', 'no WeChat ID'), ('p_contact_hours', '""', 'no hours'),
  ('p_refused_words', pg_temp.many(500, '"word %s"'), '500 words'), ('p_refused_words', jsonb_build_array(pg_temp.filled('', 50)), 'a word of 50 characters'), ('p_refused_words', '[]', 'no words')
) as c (name, value, sentence);
select is(pg_temp.outcome(c.name, c.value), 'PT422 invalid_argument', c.sentence || ' is refused') from (values
  ('p_site_name', pg_temp.filled('', 0), 'a store name of no character'), ('p_site_name', pg_temp.filled('店', 101), 'one of 101'),
  ('p_h5_share_url', pg_temp.filled('https://', 501), 'a share link of 501 characters'), ('p_logo', pg_temp.filled('https://', 1001), 'a logo of 1001'),
  ('p_avatar_origins', jsonb_build_array(pg_temp.filled('https://', 201)), 'an origin of 201 characters'), ('p_avatar_origins', pg_temp.many(21, '"https://%s.example.com"'), 'a list of 21 origins'),
  ('p_payment_query_minutes', pg_temp.many(11, '%s'), 'a list of 11 times'), ('p_colour', '"#12345"', 'a colour of five digits'), ('p_colour', '"#1234567"', 'one of seven'),
  ('p_colour', '"#12345g"', 'one with another letter'), ('p_time_zone', '"Mars/Olympus"', 'another time zone'),
  ('p_contact_phone', '"call us"', 'a phone number without digits'), ('p_contact_phone', '"<script>1234</script>"', 'one with markup'),
  ('p_contact_wechat', pg_temp.filled('', 65), 'a WeChat ID of 65 characters'), ('p_contact_wechat', '"a\nb"', 'one of two lines'),
  ('p_contact_hours', pg_temp.filled('', 101), 'hours of 101'), ('p_contact_hours', '" "', 'blank hours'),
  ('p_refused_words', pg_temp.many(501, '"word %s"'), 'a list of 501 words'), ('p_refused_words', jsonb_build_array(pg_temp.filled('', 51)), 'a word of 51 characters'),
  ('p_refused_words', '[" \u200b"]', 'a word that nobody sees'), ('p_refused_words', '{}', 'a value that is no list')
) as c (name, value, sentence);

select * from finish();
rollback;
