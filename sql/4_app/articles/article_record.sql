create or replace function app.article_record(p_article app.articles)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(p_article) - '{id, add_time}'::text[]
$$;

comment on function app.article_record is 'Returns an article in the form that app.record_action compares and keeps.';
