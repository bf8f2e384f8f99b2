create table app.article_categories (
  id bigint generated always as identity primary key,
  title text not null,
  is_sign_in_ad boolean not null default false,
  hidden boolean not null default false,
  is_del boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 100 and app.is_visible(title))
);
comment on table app.article_categories is 'Article categories. The sign-in gate draws from the category with is_sign_in_ad.';

create unique index article_categories_one_is_for_sign_in on app.article_categories (is_sign_in_ad) where is_sign_in_ad and not is_del;

alter table app.article_categories enable row level security;
create policy everyone_reads_visible_categories on app.article_categories for select to anon, authenticated using (not hidden and not is_del);
create policy admins_read_all_categories on app.article_categories for select to store_admin, service_role using (true);
grant select on app.article_categories to anon, authenticated, store_admin, service_role;
