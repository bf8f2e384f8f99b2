begin;
\ir ../../support/fixture.psql
select plan(12);

insert into app.products (title, price, is_del) values ('西湖龙井茶 Longjing Tea 100%', 1, false), ('龙的茶井', 1, false),
  ('Deleted tea', 1, true), ('aab', 1, false), ('aba', 1, false);
create function pg_temp.found(p_text text) returns text language sql as $$
  select coalesce(string_agg(p.title, ', ' order by p.id), 'nothing') from app.products as p
  where p.id = any (app.find_products(p_text))
$$;

select is(pg_temp.found('龙井'), '西湖龙井茶 Longjing Tea 100%', 'two Chinese characters suffice, one after the other');
select is(pg_temp.found('井'), '西湖龙井茶 Longjing Tea 100%, 龙的茶井', 'one does, too');
select is(
  pg_temp.found('TEA'), 'Tea, 西湖龙井茶 Longjing Tea 100%', 'case does not matter, and what is deleted is not found'
);
select is(pg_temp.found('0%') || pg_temp.found('_'), '西湖龙井茶 Longjing Tea 100%nothing', 'there are no wildcards');
select is(pg_temp.found('g t'), '西湖龙井茶 Longjing Tea 100%', 'a space is a character');
select is(pg_temp.found('aba'), 'aba', 'the parts alone do not make a text');
select is(pg_temp.found('ab'), 'aab, aba', 'all that contain it are found');
select is(pg_temp.found('tea and more'), 'nothing', 'a longer text than the title is not found');
select is(pg_temp.found(repeat('茶', 1000000)), 'nothing', 'whatever is searched for, the answer comes at once');
select is(app.find_products(null), null, 'nothing that is searched for is no filter');
select is(app.text_parts('茶a茶A'), array['a', 'a茶', '茶', '茶a'], 'each part is there once, in lower case');

-- The plan, where reading the whole table would be too dear.
insert into app.products (title, price) select 'Product ' || md5(g::text), 1 from generate_series(1, 5000) as g;
analyze app.products;
create function pg_temp.plan_of(p_text text) returns text language plpgsql as $$
declare
  v_line text;
  v_plan text := '';
begin
  for v_line in execute format(
    'explain select p.id from app.products as p where not p.is_del and app.text_parts(p.title) @> app.text_parts(%L)',
    p_text
  ) loop
    v_plan := v_plan || v_line;
  end loop;
  return v_plan;
end
$$;
set local enable_seqscan = off;
select ok(pg_temp.plan_of('龙井') like '%products_text_parts_idx%', 'an index can serve the search');

select * from finish();
rollback;
