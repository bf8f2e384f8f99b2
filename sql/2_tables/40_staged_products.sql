create unlogged table app.staged_products (
  line integer not null,
  id text,
  title text,
  price text,
  freight text,
  is_queue_goods text,
  is_show text,
  stock text,
  description text,
  added_at text
);
comment on table app.staged_products is
  'Products of a running import, as text, with the line of the file. Empty between imports.';

create index staged_products_id_idx on app.staged_products (id);

alter table app.staged_products enable row level security;
