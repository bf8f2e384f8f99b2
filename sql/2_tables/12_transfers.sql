create table app.transfers (
  withdrawal_id bigint primary key references app.withdrawals (id),
  appid text not null,
  openid text,
  payee_name text,
  mchid text,
  provider_ref text,
  package_info text,
  first_asked_at timestamptz,
  asked_at timestamptz,
  cancel_at timestamptz,
  constraint asked_at_iff_first_asked_at check ((asked_at is null) = (first_asked_at is null)),
  constraint texts_are_short check (
    char_length(appid) between 1 and 64 and char_length(openid) between 1 and 128 and char_length(payee_name) between 1 and 64
    and char_length(mchid) between 1 and 64 and char_length(provider_ref) between 1 and 128 and char_length(package_info) between 1 and 4000
  )
);
comment on table app.transfers is
  'The transfer of each withdrawal by wechat, under the number of the withdrawal. Written with the request, so that every request to WeChat '
  'has the same values. Personal: no client role can read it.';
comment on column app.transfers.openid is 'The member in the app appid. Null for a member whose account was deleted; nothing is transferred then.';
comment on column app.transfers.payee_name is 'The name that WeChat compares, from an amount on. Deleted when the withdrawal has ended.';
comment on column app.transfers.mchid is 'The merchant of the first request, which alone can continue the transfer. The client needs it to open the confirmation page.';
comment on column app.transfers.package_info is 'Opens the confirmation page of WeChat. Deleted when the member has confirmed, or the withdrawal has ended.';
comment on column app.transfers.asked_at is 'The start of the last run of the worker that was allowed to request the transfer.';
comment on column app.transfers.cancel_at is 'When an administrator cancelled the transfer. From then on it is never requested, only queried and cancelled.';

alter table app.transfers enable row level security;
