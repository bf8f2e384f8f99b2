-- Tracking numbers: what counts as one, wherever it comes from: a file of a carrier, a field of the console, another
-- program, an import.

create or replace function app.cell_text(p_text text)
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select app.visible_text(
    regexp_replace(regexp_replace(normalize(app.visible_text(p_text), NFKC), '^="(.*)"$', '\1'), '^[''‘’]', '')
  )
$$;

comment on function app.cell_text is
  'Returns the text of a number as a person means it: wide characters made narrow, and without the formula ="…" or '
  'leading apostrophe of spreadsheets. Null if nothing is visible.';

create or replace function app.is_date(p_text text)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select p_text ~ '^(19|20)[0-9]{2}(-[0-9]{1,2}){1,2}(T[0-9]+Z?)?$'
    or p_text ~ '^([0-9]{1,2}-){1,2}(19|20)[0-9]{2}$'
    or p_text ~ '^[0-9]{1,2}-[0-9]{1,2}-[0-9]{2}$'
    or p_text ~ '^(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(T[0-9]+Z?)?$'
    or p_text ~* format(
      '^([0-9]{1,2}-?)?%1$s(-?[0-9]{1,2})?-?([0-9]{2}|(19|20)[0-9]{2})$|^(19|20)[0-9]{2}-?%1$s(-?[0-9]{1,2})?$', m.name
    )
  from (values (
    '(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)'
  )) as m (name)
$$;

comment on function app.is_date is
  'Returns whether letters, digits and hyphens are a date or a month, as spreadsheets and people write them.';

create or replace function app.tracking_number(p_text text)
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select upper(n.number)
  from app.cell_text(p_text) as n (number)
  where n.number ~ '^[A-Za-z0-9][A-Za-z0-9-]{5,39}$' and n.number ~ '([0-9].*){4}'
    -- A spreadsheet that takes a long number for an amount shows it as 1.23E+17, and keeps 15 digits of it.
    and n.number !~* '^[0-9]{1,4}E-?[0-9]{1,3}$' and n.number !~ '^[0-9]{15}0{3,}$'
    and not app.is_date(n.number)
    and translate(n.number, '-', '') !~ '^(.)\1*$'
    and not string_to_array(lower(n.number),
      '-') && '{null,nil,none,nan,na,tba,tbd,todo,true,false,undefined,unknown,pending,ref,value,name,div,num,err,error}'
$$;

comment on function app.tracking_number is
  'Returns the tracking number that a text means, in capitals: 6 to 40 letters, digits and hyphens with at least four '
  'digits. Null for a date, a number that a spreadsheet has rounded, one repeated character, and words for nothing or '
  'an error.';

create or replace function app.is_number_of_carrier(p_number text, p_code text)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select not exists (
    select
    from (
      values ('^SF[0-9]{13}$', '{SF}'::text[]), ('^YT[0-9]{13}$', '{YTO}'), ('^JT[0-9]{13}$', '{JTSD}'),
      ('^[A-Z]{2}[0-9]{9}[A-Z]{2}$', '{EMS,YZPY}')
    ) as f (form, codes)
    where p_number ~* f.form and p_code <> all (f.codes) and p_code in ('SF', 'YTO', 'JTSD', 'EMS', 'YZPY')
  ) and not (
    p_code in ('EMS', 'YZPY') and p_number ~* '^[A-Z]{2}[0-9]{9}[A-Z]{2}$' and substr(p_number, 11, 1) <> (
      select case sum(substr(p_number, 2 + w.place::integer, 1)::integer * w.weight) % 11
        when 0 then 5
        when 1 then 0
        else 11 - sum(substr(p_number, 2 + w.place::integer, 1)::integer * w.weight) % 11
      end
      from unnest(array[8, 6, 4, 2, 3, 5, 9, 7]) with ordinality as w (weight, place)
    )::text
  )
$$;

comment on function app.is_number_of_carrier is
  'Returns whether a carrier can have given a tracking number. SF, YTO, J&T and the post give none in the documented '
  'form of another of them; numbers of the post (UPU S10) have a check digit. True for other carriers.';

create or replace function app.check_carrier_of_number(p_number text, p_code text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not app.is_number_of_carrier(p_number, p_code) then
    perform app.fail(
      'invalid_argument',
      'This carrier gives no such tracking number. Check the number, and choose the carrier that gave it.',
      '/tracking_no'
    );
  end if;
end
$$;

comment on function app.check_carrier_of_number is
  'Raises invalid_argument if the carrier with this code cannot have given this tracking number '
  '(app.is_number_of_carrier).';

create or replace function app.require_tracking_number(p_text text, p_code text)
returns text
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_number text := app.tracking_number(p_text);
begin
  if p_text is not null and v_number is null then
    perform app.fail(
      'invalid_argument',
      'A tracking number has 6 to 40 letters, digits and hyphens, at least four of them digits. A date, a word and a number that a spreadsheet has rounded are none.',
      '/tracking_no'
    );
  end if;
  perform app.check_carrier_of_number(v_number, p_code);
  return v_number;
end
$$;

comment on function app.require_tracking_number is
  'Returns the tracking number that a text means (app.tracking_number), null for null. Raises invalid_argument if it '
  'means none, or none of the carrier with this code.';
