-- What a change of the settings makes of the values that are given, by the kinds of app.declared_settings.

create or replace function app.setting_value(p_name text, p_value jsonb)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting record;
  v_text text := p_value #>> '{}';
  v_list jsonb := case when jsonb_typeof(p_value) = 'array' then p_value end;
begin
  -- Row order: a setting has one row.
  select s.* into v_setting from app.declared_settings() as s where s.name = p_name;
  if v_setting.removable and v_text ~ (case v_setting.kind when 'amount' then '^0+(\.0+)?$' when 'postal' then '^\{\}$' else '^$' end) then
    return 'null'::jsonb;
  end if;
  return case
    when v_setting.kind in ('integer', 'number', 'percent', 'amount') then case
      when v_text ~ '^[0-9]{1,20}(\.[0-9]{1,20})?$' and jsonb_typeof(p_value) = any (case v_setting.kind when 'amount' then '{number, string}'::text[] else '{number}' end) then (
        select to_jsonb(n.value) from (select trim_scale(v_text::numeric)) as n (value)
        where n.value between v_setting.minimum and v_setting.maximum and scale(n.value) <= v_setting.decimals
      )
    end
    when v_setting.kind in ('postal', 'switch') then case when case v_setting.kind when 'postal' then app.is_address(p_value) else jsonb_typeof(p_value) = 'boolean' end then p_value end
    when v_setting.kind = 'choices' then case when v_list <@ to_jsonb(v_setting.choices) then (
      select coalesce(jsonb_agg(c.choice order by c.place), '[]') from unnest(v_setting.choices) with ordinality as c (choice, place) where v_list ? c.choice
    ) end
    when v_setting.kind = 'minutes' then case
      when not v_list @? format('strict $[*] ? (@.type() != "number" || @ < %s || @ > %s || @.floor() != @)', v_setting.minimum, v_setting.maximum)::jsonpath then
        (select case when count(*) <= v_setting.longest then coalesce(jsonb_agg(m.minutes order by m.minutes), '[]') end
         from (select distinct (e.value)::integer from jsonb_array_elements(v_list) as e) as m (minutes))
    end
    when v_setting.kind in ('origins', 'words') then app.setting_list(v_setting.kind, v_setting.longest, v_list)
    when jsonb_typeof(p_value) <> 'string' then null
    when v_setting.kind = 'colour' then case when v_text ~ '^#[0-9a-fA-F]{6}$' then to_jsonb(lower(v_text)) end
    when v_setting.kind = 'day' then case
      when v_text ~ '^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then case
        when right(v_text, 2)::integer <= extract(day from (left(v_text, 8) || '01')::date + interval '1 month' - interval '1 day') then p_value
      end
    end
    when case v_setting.kind
      when 'line' then app.is_line(v_text) and char_length(v_text) <= v_setting.longest
      when 'web_address' then app.is_web_address(v_text) and char_length(v_text) <= v_setting.longest
      when 'share_address' then app.share_address(v_text) = v_text
      when 'phone' then app.is_phone_number(v_text)
      when 'choice' then v_text = any (v_setting.choices)
      when 'zone' then exists (select from pg_timezone_names as z where z.name = v_text)
    end then p_value
  end;
end
$$;

comment on function app.setting_value is
  'Returns a value as the setting p_name stores it: numbers within their bounds, lists without repetitions, words as app.folded_text compares them. JSON null removes the setting, '
  'which an empty text, an amount of 0 and {} do if it can be removed. Null: the setting does not take the value.';

create or replace function app.setting_list(p_kind text, p_longest integer, p_list jsonb)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when cardinality(d.texts) <= p_longest and case p_kind when 'words' then app.are_words(d.texts) else app.are_https_origins(d.texts) end then to_jsonb(d.texts) end
  from (
    select coalesce(array_agg(f.text order by f.place), '{}')
    from (
      select case p_kind when 'words' then app.folded_text(t.value) else lower(t.value) end as text, min(t.place) as place
      from jsonb_array_elements_text(p_list) with ordinality as t (value, place)
      group by 1
    ) as f
  ) as d (texts)
  where p_list is not null
$$;

comment on function app.setting_list is
  'Returns a list of words or origins as a setting stores it, each once and in their order. Null: p_list is null, too long or has something else.';

create or replace function app.setting_problem(p_name text, p_value jsonb)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case s.kind
    when 'integer' then format('Expected a whole number from %s to %s.', s.minimum, s.maximum)
    when 'number' then format('Expected a number from %s to %s with at most %s decimals.', s.minimum, s.maximum, s.decimals)
    when 'percent' then format('Expected a number from %s to %s with at most %s decimals.', s.minimum, s.maximum, s.decimals)
    when 'amount' then format('Expected an amount from %s to %s.', to_char(s.minimum, 'FM999999999990.00'), to_char(s.maximum, 'FM999999999990.00'))
    when 'switch' then 'Expected true or false.'
    when 'line' then format('Expected 1 to %s characters in one line, not all of them blank.', s.longest)
    when 'phone' then 'Enter a valid phone number.'
    when 'colour' then 'The colour must be # and six hexadecimal digits, such as #c8102e.'
    when 'zone' then 'There is no time zone of this name. Use a name such as Asia/Shanghai.'
    when 'day' then 'A day is written as 2027-01-01.'
    when 'web_address' then format('The URL must begin with http:// or https:// and have at most %s characters.', s.longest)
    when 'share_address' then case
      when app.share_address(p_value #>> '{}') is null then
        'The share link URL must begin with http:// or https:// and a host, and have at most 500 characters and no blanks.'
      else format(
        'Share links name the member behind the share link URL, so it must contain no #, no user, no spread and no share, and not end with ?. Use %s instead.',
        app.share_address(p_value #>> '{}')
      )
    end
    when 'choice' then format('Expected one of %s.', array_to_string(s.choices, ', '))
    when 'choices' then format('Expected a list of %s.', array_to_string(s.choices, ', '))
    when 'minutes' then format('Expected at most %s whole numbers from %s to %s.', s.longest, s.minimum, s.maximum)
    when 'origins' then format('Expected at most %s origins such as https://example.com: https, the host, and no path.', s.longest)
    when 'words' then format('Expected at most %s words, each of 1 to 50 characters.', s.longest)
    when 'postal' then
      'A return address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.'
  end
  from app.declared_settings() as s
  where s.name = p_name
$$;

comment on function app.setting_problem is 'Returns what is wrong with a value that the setting p_name does not take, as a sentence for clients.';

create or replace function app.changed_settings(p_settings app.settings, p_changes jsonb)
returns app.settings
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_fields text[] := array[]::text[];
  v_problems text[] := array[]::text[];
  v_values jsonb := jsonb_build_object();
  v_given record;
begin
  for v_given in select c.key as name, app.setting_value(c.key, c.value) as value, c.value as given from jsonb_each(jsonb_strip_nulls(p_changes)) as c order by c.key loop
    if v_given.value is null then
      v_fields := v_fields || ('/' || v_given.name);
      v_problems := v_problems || coalesce(app.setting_problem(v_given.name, v_given.given), 'There is no such setting.');
    else
      v_values := v_values || jsonb_build_object(v_given.name, v_given.value);
    end if;
  end loop;
  v_values := to_jsonb(p_settings) || v_values;
  for v_given in
    select s.name, s.no_less_than, v_values ->> s.no_less_than as bound
    from app.declared_settings() as s
    where case when s.no_less_than is not null then (v_values ->> s.name)::numeric < (v_values ->> s.no_less_than)::numeric end
    order by s.name
  loop
    v_fields := v_fields || ('/' || v_given.name);
    v_problems := v_problems || format('Expected at least %s, which is %s.', v_given.no_less_than, v_given.bound);
  end loop;
  if v_fields <> '{}' then
    perform app.fail('invalid_argument', array_to_string(v_problems, E'\n'), array_to_string(v_fields, E'\n'));
  end if;
  return jsonb_populate_record(p_settings, v_values);
end
$$;

comment on function app.changed_settings is
  'Returns settings with the given changes, each as app.setting_value makes it; null leaves a setting as it is. The error names every setting that does not take its value.';
