-- Locks: the category, for share.
-- Raises: invalid_argument.
create or replace function app.require_article_category(p_cid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.article_categories as c where c.id = p_cid and not c.is_del for share;
  if not found then
    perform app.fail('invalid_argument', 'cid is not the id of an article category.');
  end if;
end
$$;

comment on function app.require_article_category is
  'Raises invalid_argument unless articles can be put into this category, and keeps the category from being deleted until the '
  'end of the transaction.';
