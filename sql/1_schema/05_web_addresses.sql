-- Whether a text is an address of http or https, as browsers read it: they pass over control characters and blanks, so that
-- none may be in it, and nothing invisible.
-- Callers: constraints, handle_new_auth_user, set_settings. Inlined; without a search path, so names are qualified.
create or replace function app.is_web_address(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~* '^https?://[^/\\\u0001-\u0020\u007F-\u00A0\u00AD\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF]*$'
$$;

-- The same, or an address without a scheme, within the client that shows it; also an empty text.
-- Callers: constraints of articles.
create or replace function app.is_link(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select app.is_web_address(p_text)
    or p_text ~ '^(?!//)[^:/?#\\\u0001-\u0020\u007F-\u00A0\u00AD\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF]*([/?#][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF]*)?$'
$$;
