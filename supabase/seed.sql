-- A product and an article category for a new local database (`supabase start`, `supabase db reset`). `npm start` loads a month of demo data
-- instead.
insert into app.products (title, price, is_queue_goods)
select 'Flagship package', 3600.00, true
where not exists (select from app.products);

insert into app.article_categories (title, is_sign_in_ad)
select 'Sign-in reading', true
where not exists (select from app.article_categories as c where c.is_sign_in_ad);
