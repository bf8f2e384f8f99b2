-- Schemas, roles and their limits, default privileges, and the domains of text that everything else uses.

-- Roles that the store adds to those of Supabase (anon, authenticated, service_role, authenticator).
-- Roles belong to the cluster, not to the database, so each may already exist.
do $$
begin
  if to_regrole('authenticator') is null or to_regclass('auth.users') is null then
    raise exception 'This database lacks what a Supabase project brings: the roles anon, authenticated, service_role and authenticator, and the schema auth.'
      using hint = 'docs/deploy.md, "The database", says how to create them.';
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_admin') then
    create role store_admin nologin noinherit;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_key') then
    create role store_key nologin noinherit;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_api') then
    -- Deployment sets its password. Without one, sign-in is impossible.
    create role store_api login noinherit;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_analyst') then
    create role store_analyst login noinherit;
  end if;
end
$$;

-- An administrator's token carries the role claim store_admin, so the Data API must be able to switch to it.
grant store_admin to authenticator;

-- The edge functions sign in as store_api and become the caller for one statement (app.become_caller, app.as_service).
grant anon, authenticated, store_admin, store_key, service_role to store_api;

-- The planner prunes months by their bounds. Reading their check constraints as well would take more than half of the
-- time of planning a statement that reads the bill (decision 0155). The second role runs the scheduled jobs.
alter role store_api set constraint_exclusion = off;
alter role current_user set constraint_exclusion = off;
alter role store_analyst set constraint_exclusion = off;

-- Limits for requests, because a person waits for each. docs/operations.md lists them.
alter role store_api set statement_timeout = '15s';
alter role store_api set lock_timeout = '8s';
alter role store_api set idle_in_transaction_session_timeout = '15s';
-- Leaves connections of the server to the scheduled jobs and to operators.
alter role store_api connection limit 50;

-- For analysts (docs/analysts.md). A session can lift these timeouts, so app.end_long_reports ends what lasts too long,
-- as a member of the role.
alter role store_analyst set statement_timeout = '60s';
alter role store_analyst set idle_in_transaction_session_timeout = '60s';
alter role store_analyst set default_transaction_read_only = on;
alter role store_analyst set search_path = report;
alter role store_analyst connection limit 5;
grant store_analyst to current_user;

create schema if not exists app;
create schema if not exists api;
create schema if not exists entry;
create schema if not exists compacted;
create schema if not exists report;

comment on schema app is 'Tables and internal functions of the store. Never exposed by the Data API.';
comment on schema api is 'The functions that client roles may execute. The grants of each follow its comment.';
comment on schema entry is
  'The entry points of reads: a generated function for each that reads in schema api. Only the edge functions execute '
  'them.';
comment on schema report is
  'Views without personal data, for analysts (docs/analysts.md). Their columns stay as they are.';
comment on schema compacted is
  'The former partitions of compacted months, and tables that are built to compact or expand a month '
  '(app.compact_month).';

grant usage on schema app to anon, authenticated, store_admin, store_key, service_role, store_api;
grant usage on schema api to anon, authenticated, store_admin, store_key, service_role;
grant usage on schema entry to store_api;
grant usage on schema report to store_analyst;

-- Global for the creating role, because the per-schema form cannot revoke the default privileges of PUBLIC.
alter default privileges revoke execute on functions from public;

-- Client roles must not create temporary objects: with a temporary type that has the name of another type, code can be
-- run inside a function of the owner (docs/access.md). Only the owner of the database can revoke the right from PUBLIC.
-- If the migrations run as another role, this warns, and the configuration check reports it (app.verify_access).
do $$
begin
  execute pg_catalog.format('revoke temporary on database %I from public', pg_catalog.current_database());
exception when insufficient_privilege then
  raise warning 'PUBLIC keeps the right to create temporary objects in this database; its owner can revoke it';
end
$$;

-- The one rule for text that people enter, applied by constraints to every column that test/api/privacy.test.ts lists
-- as entered; the same characters as in functions/_shared/resources/schemas.ts. Files for banks and other programs read
-- the others as the end of a line or field, or show the text in another order. Has no search path of its own, so that
-- the planner can inline it into constraints and queries.
create or replace function app.is_text(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text !~ '[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]'
$$;

comment on function app.is_text is
  'Returns whether a text has no control characters but tabs and line breaks, and no marks of text direction.';

grant execute on function app.is_text(text) to store_admin;

-- Has no search path of its own, so that the planner can inline it into constraints and queries.
create or replace function app.is_visible(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~ '[^\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uFFFE\uFFFF\U00013430-\U00013440\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
$$;

comment on function app.is_visible is 'Returns whether a text has a visible character: one with width and shape.';

grant execute on function app.is_visible(text) to store_admin;

-- Joiners and variation selectors are kept, because emoji and some scripts need them.
create or replace function app.visible_text(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select case when app.is_visible(p_text) then pg_catalog.btrim(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(
      p_text, '[\u0001-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'
    ),
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\uFFFE\uFFFF\U00013430-\U00013440\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A]',
    '', 'g'
  )) end
$$;

comment on function app.visible_text is
  'Returns a text as people see it: blanks, line breaks and control characters as single blanks, without invisible '
  'characters. Null if nothing is visible.';

create or replace function app.clean_text(p_text text)
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select regexp_replace(
    p_text, '[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]', '', 'g'
  )
$$;

comment on function app.clean_text is 'Returns a text without the characters that app.is_text rejects.';

-- Has no search path of its own, so that the planner can inline it into constraints and queries.
create or replace function app.is_line(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select app.is_visible(p_text) and app.is_text(p_text) and p_text !~ '[\t\n\r\u200B\u2060-\u2065\uFEFF\uFFF0-\uFFFB]'
$$;

comment on function app.is_line is
  'Returns whether a text is one line with a visible character, without what app.is_text rejects and characters '
  'without width. Joiners and variation selectors are allowed.';

grant execute on function app.is_line(text) to store_admin;

create or replace function app.is_loopback_address(p_text text)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select p_text ~* '^https?://([^/?#@]*@)?(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]*)?([/?#]|$)'
$$;

comment on function app.is_loopback_address is
  'Returns whether an http or https address leads to the machine that opens it.';

-- Browsers skip blanks and control characters in addresses, so an address that contains them can differ from what it
-- seems to be. Has no search path of its own, so that the planner can inline it into constraints and queries.
create or replace function app.is_web_address(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~* '^https?://[^/\\\u0001-\u0020\u007F-\u00A0\u00AD\u061C\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u061C\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*$'
$$;

comment on function app.is_web_address is
  'Returns whether a text is an http or https address without blanks, control characters and invisible characters.';

create or replace function app.is_link(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select app.is_web_address(p_text)
    or p_text ~ '^(?!//)[^:/?#\\\u0001-\u0020\u007F-\u00A0\u00AD\u061C\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*([/?#][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u061C\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*)?$'
$$;

comment on function app.is_link is 'Returns whether a text is empty, a web address or a relative address.';

create or replace function app.is_phone_number(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~ '^[+]?[0-9][0-9 -]{3,22}[0-9]$'
$$;

comment on function app.is_phone_number is
  'Returns whether a text is a phone number: 5 to 24 digits, blanks and hyphens, from a digit to a digit, with or '
  'without a leading +.';

-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.is_address(p_address jsonb)
returns boolean
language plpgsql
immutable
parallel safe
strict
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_typeof(p_address) = 'object' and not exists (
      select from jsonb_object_keys(p_address) as k where k not in ('name', 'phone', 'region', 'street')
    )
    and coalesce(
      jsonb_typeof(p_address -> 'name') = 'string' and char_length(p_address ->> 'name') <= 64
      and app.is_line(p_address ->> 'name'),
      false
    )
    and coalesce(jsonb_typeof(p_address -> 'phone') = 'string' and app.is_phone_number(p_address ->> 'phone'), false)
    and coalesce(
      jsonb_typeof(p_address -> 'region') = 'array' and jsonb_array_length(p_address -> 'region') between 1 and 6, false
    )
    and not exists (
      select
      from jsonb_array_elements(
        case when jsonb_typeof(p_address -> 'region') = 'array' then p_address -> 'region' else '[]' end
      ) as r
      where jsonb_typeof(r.value) <> 'string' or char_length(r.value #>> '{}') > 64 or not app.is_line(r.value #>> '{}')
    )
    and coalesce(
      jsonb_typeof(p_address -> 'street') = 'string' and char_length(p_address ->> 'street') <= 200
      and app.is_line(p_address ->> 'street'),
      false
    );
end
$$;

comment on function app.is_address is
  'Returns whether a value is a postal address: {name, phone, region, street}. name has at most 64 characters, street '
  '200. region has 1 to 6 names, the largest area first.';

create or replace function app.are_web_addresses(p_texts text[], p_longest integer)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(coalesce(char_length(t) <= p_longest and app.is_web_address(t), false)), true)
  from unnest(p_texts) as t
$$;

comment on function app.are_web_addresses is
  'Returns whether every text is a web address of at most p_longest characters.';

create or replace function app.origin_of(p_address text)
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select substring(lower(p_address), '^https?://[^/?#\\]+')
$$;

comment on function app.origin_of is
  'Returns scheme, host and port of a web address in lower case, such as https://example.com. A user name before the '
  'host stays in the result.';

create or replace function app.share_address(p_text text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select a.address
  from (
    select rtrim(regexp_replace(regexp_replace(
      regexp_replace(btrim(p_text), '[#＃].*$', ''), '^(https?://)[^/?]*@', '\1', 'i'),
      '(?<=[?&])(spread|share)(=[^&]*)?(&|$)', '', 'g'
    ), '?&')
  ) as a (address)
  where app.is_web_address(a.address) and char_length(a.address) <= 500
    and a.address ~* '^https?://([^]/?@:[]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?([/?]|$)'
$$;

comment on function app.share_address is
  'Returns the address to which share links add ?spread=<uid>: without fragment, user, spread and share. Null unless '
  'that is a web address of at most 500 characters.';

create or replace function app.are_https_origins(p_texts text[])
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(
    coalesce(char_length(t) <= 200 and t ~ '^https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$', false)
  ), true) from unnest(p_texts) as t
$$;

comment on function app.are_https_origins is
  'Returns whether every text is an origin such as https://example.com, in lower case, with or without a port.';

create or replace function app.folded_text(p_text text)
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(string_agg(c.value, '' order by c.place), '')
  from string_to_table(lower(normalize(p_text, NFKC)), null) with ordinality as c (value, place)
  where app.is_visible(c.value)
$$;

comment on function app.folded_text is
  'Returns a text as words are compared: in lower case, wide and narrow letters alike, without blanks and invisible '
  'characters.';

create or replace function app.are_words(p_texts text[])
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(coalesce(char_length(t) <= 50 and app.is_line(t) and t = app.folded_text(t), false)), true)
  from unnest(p_texts) as t
$$;

comment on function app.are_words is
  'Returns whether every text is a word in the form of app.folded_text, of at most 50 characters.';
