begin;
\ir ../../support/fixture.psql
select plan(4);

update app.article_categories set is_sign_in_ad = false;
insert into app.article_categories (title) select 'Category ' || g from generate_series(1, 2000) as g;
create temporary table pool as with added as (
  insert into app.article_categories (title, is_sign_in_ad) values ('Pool', true) returning id
) select id from added;
insert into app.articles (cid, title, hidden)
select pool.id, 'Article ' || g, (g % 10 = 0)::integer from pool, generate_series(1, 5000) as g;
analyze app.articles, app.article_pool, app.article_categories;

-- The query of the function, planned like in the function.
create function pg_temp.plan() returns setof text language plpgsql as $$
begin
  return query execute 'explain (analyze, costs off, timing off, summary off) '
    || (select substring(prosrc from 'return \((.*)\);') from pg_proc where oid = 'api.get_required_article'::regproc);
end $$;
create temporary table plan as select row_number() over () as line, p as text from pg_temp.plan() as p;
select is_empty($$ select text from plan where text ~ 'Seq Scan' $$, 'no table is scanned sequentially');
select is(
  (select count(*)::integer from plan where text ~ 'Index Only Scan.*article_pool'), 2,
  'the pool is read by two index-only scans: the highest number and the drawn one'
);
select is_empty(
  $$ select text from plan
  where text ~ '(Index|Bitmap).*rows=' and text !~ 'rows=1(\.00)? ' $$, 'every index scan returns one row'
);
select is(
  pg_temp.attempt('anon', 'select api.get_required_article() ->> ''cid'''), (select id::text from pool),
  'a visitor is served from it'
);

select * from finish();
rollback;
