-- What a change of the settings makes of the values that are given, by the kinds of app.declared_settings.

create or replace function app.setting_number(p_value jsonb, p_minimum numeric, p_maximum numeric, p_decimals integer)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(n.number)
  from (
    select case when p_value #>> '{}' ~ '^[0-9]{1,20}(\.[0-9]{1,20})?$' then trim_scale((p_value #>> '{}')::numeric) end
  ) as n (number)
  where n.number between p_minimum and p_maximum and scale(n.number) <= p_decimals
$$;

comment on function app.setting_number is
  'Returns a number, or a text that is one, if it is within the bounds and has at most p_decimals decimals; otherwise '
  'null.';

create or replace function app.setting_text(p_kind text, p_text text, p_longest integer, p_choices text[])
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when case p_kind
      when 'line' then app.is_line(p_text) and char_length(p_text) <= p_longest
      when 'web_address' then app.is_web_address(p_text) and char_length(p_text) <= p_longest
      when 'share_address' then app.share_address(p_text) = p_text
      when 'phone' then app.is_phone_number(p_text)
      when 'colour' then p_text ~ '^#[0-9a-fA-F]{6}$'
      when 'choice' then p_text = any (p_choices)
      when 'zone' then exists (select from pg_timezone_names as z where z.name = p_text)
      when 'day' then case
        when p_text ~ '^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then
          right(p_text, 2)::integer <= extract(
            day from (left(p_text, 8) || '01')::date + interval '1 month' - interval '1 day'
          )
      end
    end then case p_kind when 'colour' then lower(p_text) else p_text end
  end
$$;

comment on function app.setting_text is
  'Returns a text as a setting of the kind stores it; null if it does not take it.';

create or replace function app.setting_list(
  p_kind text, p_list jsonb, p_minimum numeric, p_maximum numeric, p_longest integer, p_choices text[]
)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case p_kind
    when 'choices' then case when p_list <@ to_jsonb(p_choices) then to_jsonb(array(
      select c.choice from unnest(p_choices) with ordinality as c (choice, place) where p_list ? c.choice
      order by c.place
    )) end
    when 'minutes' then (
      select case
        when count(*) = count(m.minutes) and count(*) <= p_longest then
          coalesce(jsonb_agg(distinct m.minutes order by m.minutes), '[]')
      end
      from (
        select case jsonb_typeof(e) when 'number' then app.setting_number(e, p_minimum, p_maximum, 0) end
        from jsonb_array_elements(p_list) as e
      ) as m (minutes)
    )
    else (
      select case
        when cardinality(d.texts) <= p_longest
          and case p_kind when 'words' then app.are_words(d.texts) else app.are_https_origins(d.texts) end
        then to_jsonb(d.texts)
      end
      from (
        select coalesce(array_agg(f.text order by f.place), '{}')
        from (
          select case p_kind when 'words' then app.folded_text(t.value) else lower(t.value) end as text,
            min(t.place) as place
          from jsonb_array_elements_text(p_list) with ordinality as t (value, place)
          group by 1
        ) as f
      ) as d (texts)
    )
  end
$$;

comment on function app.setting_list is
  'Returns a list as a setting of the kind stores it, each entry once; null if it does not take it.';

create or replace function app.setting_value(p_name text, p_value jsonb)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting record;
  v_text text := p_value #>> '{}';
  v_type text := jsonb_typeof(p_value);
begin
  -- Row order: a setting has one row.
  select s.* into v_setting from app.declared_settings() as s where s.name = p_name;
  if v_setting.removable
    and (
      case v_setting.kind
        when 'amount' then v_text ~ '^0+(\.0+)?$'
        when 'postal' then p_value = '{}'
        else v_text = ''
      end
    )
  then
    return 'null'::jsonb;
  end if;
  return case
    when v_setting.kind = 'switch' then case v_type when 'boolean' then p_value end
    when v_setting.kind = 'postal' then case when app.is_address(p_value) then p_value end
    when v_setting.kind in ('integer', 'number', 'percent', 'amount') then
      case when v_type = 'number' or v_type = 'string' and v_setting.kind = 'amount' then
        app.setting_number(p_value, v_setting.minimum, v_setting.maximum, v_setting.decimals)
      end
    when v_setting.kind in ('choices', 'minutes', 'origins', 'words') then
      case v_type when 'array' then app.setting_list(
        v_setting.kind, p_value, v_setting.minimum, v_setting.maximum, v_setting.longest, v_setting.choices
      ) end
    when v_type = 'string' then
      to_jsonb(app.setting_text(v_setting.kind, v_text, v_setting.longest, v_setting.choices))
  end;
end
$$;

comment on function app.setting_value is
  'Returns a value as the setting p_name stores it; JSON null removes the setting, and null says that it does not take '
  'the value.';

create or replace function app.setting_problem(p_name text, p_value jsonb)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when s.kind = 'integer' then format('Expected a whole number from %s to %s.', s.minimum, s.maximum)
    when s.kind in ('number', 'percent') then
      format('Expected a number from %s to %s with at most %s decimals.', s.minimum, s.maximum, s.decimals)
    when s.kind = 'amount' then format(
      'Expected an amount from %s to %s.',
      to_char(s.minimum, 'FM999999999990.00'), to_char(s.maximum, 'FM999999999990.00')
    )
    when s.kind = 'switch' then 'Expected true or false.'
    when s.kind = 'line' then format('Expected 1 to %s characters in one line, not all of them blank.', s.longest)
    when s.kind = 'phone' then 'Enter a valid phone number.'
    when s.kind = 'colour' then 'The colour must be # and six hexadecimal digits, such as #c8102e.'
    when s.kind = 'zone' then 'There is no time zone of this name. Use a name such as Asia/Shanghai.'
    when s.kind = 'day' then 'A day is written as 2027-01-01.'
    when s.kind = 'web_address' then
      format('The URL must begin with http:// or https:// and have at most %s characters.', s.longest)
    when s.kind = 'share_address' and app.share_address(p_value #>> '{}') is null then
      'The share link URL must begin with http:// or https:// and a host, and have at most 500 characters and no blanks.'
    when s.kind = 'share_address' then format(
      'Share links name the member behind the share link URL, so it must contain no #, no user, no spread and no share, and not end with ?. Use %s instead.',
      app.share_address(p_value #>> '{}')
    )
    when s.kind = 'choice' then format('Expected one of %s.', array_to_string(s.choices, ', '))
    when s.kind = 'choices' then format('Expected a list of %s.', array_to_string(s.choices, ', '))
    when s.kind = 'minutes' then
      format('Expected at most %s whole numbers from %s to %s.', s.longest, s.minimum, s.maximum)
    when s.kind = 'origins' then
      format('Expected at most %s origins such as https://example.com: https, the host, and no path.', s.longest)
    when s.kind = 'words' then format('Expected at most %s words, each of 1 to 50 characters.', s.longest)
    when s.kind = 'postal' then
      'A return address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.'
  end
  from app.declared_settings() as s
  where s.name = p_name
$$;

comment on function app.setting_problem is 'Returns a sentence for clients that says what the setting p_name takes.';

create or replace function app.changed_settings(p_settings app.settings, p_changes jsonb)
returns app.settings
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_fields text[] := array[]::text[];
  v_problems text[] := array[]::text[];
  v_values jsonb := to_jsonb(p_settings);
  v_given record;
begin
  for v_given in
    select c.key as name, c.value as given, app.setting_value(c.key, c.value) as stored
    from jsonb_each(p_changes) as c
    where c.value <> 'null'
    order by c.key
  loop
    if v_given.stored is null then
      v_fields := v_fields || ('/' || v_given.name);
      v_problems := v_problems
        || coalesce(app.setting_problem(v_given.name, v_given.given), 'There is no such setting.');
    else
      v_values := v_values || jsonb_build_object(v_given.name, v_given.stored);
    end if;
  end loop;
  for v_given in
    select s.name, v_values ->> s.no_less_than as smallest
    from app.declared_settings() as s
    where not v_fields && array['/' || s.name, '/' || s.no_less_than]
      and case
        when s.no_less_than is not null then (v_values ->> s.name)::numeric < (v_values ->> s.no_less_than)::numeric
      end
    order by s.name
  loop
    v_fields := v_fields || ('/' || v_given.name);
    v_problems := v_problems
      || format('Expected at least the smallest amount, %s.', to_char(v_given.smallest::numeric, 'FM999999999990.00'));
  end loop;
  if v_fields <> '{}' then
    perform app.fail('invalid_argument', array_to_string(v_problems, E'\n'), array_to_string(v_fields, E'\n'));
  end if;
  return jsonb_populate_record(p_settings, v_values);
end
$$;

comment on function app.changed_settings is
  'Returns settings with the given changes (app.setting_value); null leaves a setting as it is. Raises '
  'invalid_argument with every setting at fault.';
