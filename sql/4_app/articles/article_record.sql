-- An article as the record of what administrators do has it: see app.record_action. Callers: the functions that write articles.
create or replace function app.article_record(p_article app.articles)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(p_article) - '{id, add_time}'::text[]
$$;
