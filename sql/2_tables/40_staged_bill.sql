create unlogged table app.staged_bill (
  line integer not null,
  source text,
  id text,
  uid text,
  type text,
  title text,
  is_income text,
  amount text,
  balance text,
  order_ref text,
  happened_at text,
  note text
);
comment on table app.staged_bill is
  'Bill rows of a running import, as text, with the line of the file. Empty between imports.';

create index staged_bill_line_idx on app.staged_bill (source, line);

alter table app.staged_bill enable row level security;
