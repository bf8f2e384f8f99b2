begin;
\ir ../../support/fixture.psql
select plan(15);

create temporary table c as with added as (
  insert into app.article_categories (title) values ('Pool'), ('Other') returning id, title
) select * from added;
create function pg_temp.category(p_title text) returns bigint language sql as $$ select id from c
  where title = p_title $$;
create function pg_temp.add(p_count integer, p_category text default 'Pool') returns void language sql as $$
  insert into app.articles (cid, title) select pg_temp.category(p_category), 'Article ' || g
  from generate_series(1, p_count) as g
$$;
create function pg_temp.pool(p_category text default 'Pool') returns text language sql as $$
  select coalesce(string_agg(substr(a.title, 9), ' ' order by p.slot), 'none') from app.article_pool as p
  join app.articles as a on a.id = p.article_id
  where p.cid = pg_temp.category(p_category)
$$;
-- What a change leaves: which articles have a number, and whether the numbers are those of the rule, from 1 without a
-- gap.
create function pg_temp.after(p_change text, p_category text default 'Pool') returns text language plpgsql as $$
begin
  execute p_change;
  if exists (select from app.reconcile_article_pool()) then
    return 'broken: ' || (select string_agg(r::text, ' ') from app.reconcile_article_pool() as r);
  end if;
  return pg_temp.pool(p_category);
end $$;
create function pg_temp.article(p_number integer) returns bigint language sql as $$
  select id from app.articles where title = 'Article ' || p_number and cid in (select id from c)
$$;

select is(pg_temp.after('select pg_temp.add(6)'), '1 2 3 4 5 6', 'new articles get consecutive slots');
select is(
  pg_temp.after('update app.articles set status = 0 where id = pg_temp.article(2)'), '1 6 3 4 5',
  'a draft leaves the pool, and the last article takes its slot'
);
select is(
  pg_temp.after('update app.articles set status = 1 where id = pg_temp.article(2)'), '1 6 3 4 5 2',
  'an article that is published again gets the last slot'
);
select is(
  pg_temp.after('update app.articles set is_del = 1 where id = pg_temp.article(2)'), '1 6 3 4 5',
  'a deleted article leaves the pool'
);
select is(
  pg_temp.after('update app.articles set hidden = 1 where id = pg_temp.article(1)'), '5 6 3 4',
  'a hidden article leaves the pool'
);
select is(
  pg_temp.after('update app.articles set status = 0 where id = pg_temp.article(1)'), '5 6 3 4',
  'an article that is already hidden stays out'
);
select is(
  pg_temp.after('update app.articles set hidden = 0 where id = pg_temp.article(1)'), '5 6 3 4',
  'a draft that is shown again stays out'
);
select is(
  pg_temp.after('update app.articles set cid = pg_temp.category(''Other'') where id = pg_temp.article(6)'), '5 4 3',
  'an article that moves leaves its category'
);
select is(pg_temp.pool('Other'), '6', 'it enters the pool of the other category');
select is(
  pg_temp.after('update app.articles set hidden = 1 - hidden where id in (pg_temp.article(3), pg_temp.article(5))'),
  '4', 'several articles leave in one statement'
);
select is(
  pg_temp.after('update app.articles set status = 1, is_del = 0, hidden = 0 where cid = pg_temp.category(''Pool'')'),
  '4 1 2 3 5', 'several articles enter in one statement'
);
select is(
  pg_temp.after('delete from app.articles where id in (pg_temp.article(1), pg_temp.article(5))'), '4 3 2',
  'deleted rows leave the pool'
);

select is(
  pg_temp.after('update app.articles set title = title, content = ''new'' where cid in (select id from c)'), '4 3 2',
  'a changed text does not change the slots'
);
select is(
  pg_temp.after('delete from app.articles where cid in (select id from c)'), 'none',
  'all articles can be deleted in one statement'
);
select pg_temp.add(1);
truncate app.articles;
select is_empty('select * from app.article_pool', 'truncating the articles empties the pool');

select * from finish();
rollback;
