-- Browsers skip blanks and control characters in addresses, so an address that contains them can differ from what it seems to be.
-- Has no search path of its own, so that the planner can inline it into constraints and queries.
create or replace function app.is_web_address(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~* '^https?://[^/\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*$'
$$;

comment on function app.is_web_address is
  'Returns whether a text is an http or https address without blanks, control characters or invisible characters.';
