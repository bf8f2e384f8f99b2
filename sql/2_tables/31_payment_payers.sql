create table app.payment_payers (
  attempt_id bigint primary key references app.payment_attempts (id),
  openid text not null,
  constraint openid_is_a_short_text check (char_length(openid) between 1 and 128)
);
comment on table app.payment_payers is
  'The payer''s id in the provider''s app, for attempts that name one. Personal: no client role can read it.';

alter table app.payment_payers enable row level security;
