begin;
\ir ../../support/fixture.psql
select plan(2);

update app.article_categories set is_sign_in_ad = false;
create temporary table pool as with added as (
  insert into app.article_categories (title, is_sign_in_ad) values ('Pool', true) returning id
) select id from added;
insert into app.articles (cid, title) select pool.id, 'Article ' || g from pool, generate_series(1, 25) as g;
-- Hides articles in the middle, so that numbers are reassigned.
update app.articles set hidden = 1 from pool
where cid = pool.id and title in ('Article 3', 'Article 4', 'Article 11', 'Article 20', 'Article 25');

create temporary table drawn as
select api.get_required_article() ->> 'title' as title from generate_series(1, 10000);
select is((select count(distinct title)::integer from drawn), 20, 'every readable article is drawn');
-- Chi-square with 19 degrees of freedom: 85 is passed once in 2 * 10^9 runs, while one article never drawn adds 500 and
-- one drawn half again as often adds about 125.
select cmp_ok(
  (select sum((n - 500.0) ^ 2 / 500.0) from (select count(*) as n from drawn group by title) as t), '<', 85.0,
  'the frequencies match a uniform distribution'
);

select * from finish();
rollback;
