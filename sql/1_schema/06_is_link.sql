create or replace function app.is_link(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select app.is_web_address(p_text)
    or p_text ~ '^(?!//)[^:/?#\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*([/?#][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*)?$'
$$;

comment on function app.is_link is
  'Returns whether a text is empty, a web address, or a relative address, which leads to a page of the client that shows it.';
