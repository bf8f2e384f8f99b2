create table app.articles (
  id bigint generated always as identity primary key,
  cid bigint not null references app.article_categories (id),
  title text not null,
  author text not null default '',
  image_input text not null default '',
  synopsis text not null default '',
  content text not null default '',
  url text not null default '',
  status smallint not null default 1,
  is_del smallint not null default 0,
  hidden smallint not null default 0,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 200 and app.is_visible(title)),
  constraint url_is_of_http_or_relative check (app.is_link(url) and char_length(url) <= 500),
  constraint image_is_of_http_or_relative check (app.is_link(image_input) and char_length(image_input) <= 500),
  constraint status_is_0_or_1 check (status in (0, 1)),
  constraint is_del_is_0_or_1 check (is_del in (0, 1)),
  constraint hidden_is_0_or_1 check (hidden in (0, 1))
);
comment on table app.articles is 'Articles. An article may be read if status is 1, is_del is 0 and hidden is 0.';
comment on column app.articles.cid is 'The category.';

create index articles_eligible_idx on app.articles (cid, id) where status = 1 and is_del = 0 and hidden = 0;
create index articles_cid_idx on app.articles (cid, id);

alter table app.articles enable row level security;
create policy everyone_reads_published_articles on app.articles for select to anon, authenticated
  using (status = 1 and is_del = 0 and hidden = 0);
create policy admins_read_all_articles on app.articles for select to store_admin, service_role using (true);
grant select on app.articles to anon, authenticated, store_admin, service_role;
