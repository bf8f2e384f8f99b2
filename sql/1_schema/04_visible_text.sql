-- Joiners and variation selectors are kept, because emoji and some scripts need them.
create or replace function app.visible_text(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select case when app.is_visible(p_text) then pg_catalog.btrim(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(p_text, '[\u0001-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'),
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\uFFFE\uFFFF\U00013430-\U00013440\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A]', '', 'g'
  )) end
$$;

comment on function app.visible_text is
  'Returns a text as people see it, or null if nothing in it is visible. Runs of blanks, line breaks and control characters '
  'become one blank. Marks of text direction and characters without width or shape are removed.';
