begin;
\ir ../support/fixture.psql
select plan(5);

insert into app.products (title, price, is_show, is_del) values ('visitor: on sale', 1, true, false),
  ('visitor: hidden', 1, false, false), ('visitor: deleted', 1, true, true);
insert into app.article_categories (title, hidden, is_del) values ('visitor: shown', false, false),
  ('visitor: hidden', true, false), ('visitor: deleted', false, true);
insert into app.product_categories (title, rank, is_del) values ('visitor: category', 1, false),
  ('visitor: deleted category', 2, true);
insert into app.articles (cid, title, status, is_del, hidden)
select c.id, a.title, a.status, a.is_del, a.hidden from app.article_categories as c
cross join (
  values ('visitor: published', 1, 0, 0), ('visitor: draft', 0, 0, 0), ('visitor: deleted', 1, 1, 0),
  ('visitor: hidden', 1, 0, 1)
) as a (title, status, is_del, hidden)
where c.title = 'visitor: shown';

create function pg_temp.titles(p_role text, p_table text) returns setof text language plpgsql as $$
begin
  perform set_config('role', p_role, true);
  return query execute format('select title from app.%I where title like ''visitor: %%''', p_table);
  perform set_config('role', 'none', true);
end $$;
select set_eq($$ select pg_temp.titles('anon', 'products') $$, array['visitor: on sale'], 'products on sale');
select set_eq($$ select pg_temp.titles('anon', 'articles') $$, array['visitor: published'], 'published articles');
select set_eq(
  $$ select pg_temp.titles('anon', 'article_categories') $$, array['visitor: shown'], 'categories that are shown'
);
select set_eq(
  $$ select pg_temp.titles('anon', 'product_categories') $$, array['visitor: category'],
  'categories of products that are not deleted'
);
select set_eq(
  $$ select pg_temp.titles('authenticated', 'products') $$, array['visitor: on sale'], 'members see the same ones'
);

select * from finish();
rollback;
