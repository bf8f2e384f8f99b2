-- What members may show to others: the pictures and words that the settings allow.

create or replace function app.avatar_origins()
returns text[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array_remove(
    s.avatar_origins || app.origin_of(s.h5_share_url)
    || (select app.origin_of(f.project_url) from app.function_settings as f),
    null
  )
  from app.settings as s
$$;

comment on function app.avatar_origins is
  'Returns the origins from which members can have a picture: those of the settings, of the share page and of the '
  'project.';

-- PL/pgSQL, so that the session caches the query plan (see app.get_upline). Strict, so that a member without a picture
-- costs nothing.
create or replace function app.shown_avatar(p_avatar text)
returns text
language plpgsql
stable
strict
set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when app.is_web_address(p_avatar) and char_length(p_avatar) <= 512
      and app.origin_of(p_avatar) = any (app.avatar_origins()) then p_avatar
  end;
end
$$;

comment on function app.shown_avatar is
  'Returns the address of a picture if its origin is allowed (app.avatar_origins), otherwise null.';

create or replace function app.has_refused_word(p_text text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return p_text <> '' and exists (
    select from app.settings as s cross join app.folded_text(p_text) as f (folded)
    cross join unnest(s.refused_words) as w (word)
    where position(w.word in f.folded) > 0
  );
end
$$;

comment on function app.has_refused_word is
  'Returns whether a text contains a word that the store refuses, compared by app.folded_text.';

create or replace function app.refuse_words(p_text text, p_field text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if app.has_refused_word(p_text) then
    perform app.fail('text_not_allowed', 'The text contains words that this store does not allow.', p_field);
  end if;
end
$$;

comment on function app.refuse_words is
  'Raises text_not_allowed, at the field p_field of the request, if a text contains a word that the store refuses.';
