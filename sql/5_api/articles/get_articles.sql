-- Raises: forbidden, invalid_argument.
create or replace function api.get_articles(
  p_cid bigint default null, p_search text default null, p_status smallint default null, p_hidden smallint default null,
  p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with matching as (
      select a.id from app.articles as a
      where a.is_del = 0 and (p_cid is null or a.cid = p_cid) and (p_status is null or a.status = p_status)
        and (p_hidden is null or a.hidden = p_hidden)
        and (p_search is null or position(lower(p_search) in lower(a.title)) > 0)
    )
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.article_json(a) order by a.id desc)
        from (select m.id from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as g
        join app.articles as a on a.id = g.id
      ), '[]'),
      'count', (select count(*) from matching)
    )
  );
end
$$;

comment on function api.get_articles is
  'Returns one page of the articles without their content, newest first, filtered by category, title, status and hidden. '
  'Serves GET /adminapi/article.';

grant execute on function api.get_articles(bigint, text, smallint, smallint, integer, integer) to store_admin;
