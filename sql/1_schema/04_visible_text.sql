-- Whether anything of a text is seen: a character that is no blank of any kind, no control character, no mark that turns the
-- direction of writing, and not without width or shape.
-- Callers: constraints of names and titles, set_settings, visible_text. Inlined; without a search path, so names are qualified.
create or replace function app.is_visible(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~ '[^\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U000E0000-\U000E0FFF]'
$$;

-- A text as people see it: blanks of every kind, line breaks and control characters become single blanks; marks that turn the
-- direction of writing and characters without width or shape are left out. Null where nothing visible is left.
-- Joiners and variation selectors stay, since emoji and some scripts need them. Callers: handle_new_auth_user.
create or replace function app.visible_text(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select case when app.is_visible(p_text) then pg_catalog.btrim(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(p_text, '[\u0001-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'),
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB]', '', 'g'
  )) end
$$;
