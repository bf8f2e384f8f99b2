begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(56);

create temporary table m as select pg_temp.reporter() as a, pg_temp.reporter() as b;
select from m, pg_temp.earn(m.a);
create function pg_temp.add(p_args jsonb) returns text language sql as $$
  select pg_temp.call(u.auth_id, 'create_account', p_args, 'authenticated') from m join app.users as u on u.uid = m.a
$$;
create function pg_temp.remove(p_uid bigint, p_id bigint) returns text language sql as $$
  select pg_temp.call(u.auth_id, 'delete_account', jsonb_build_object('p_id', p_id), 'authenticated')
  from app.users as u where u.uid = p_uid
$$;
create function pg_temp.list(p_uid bigint) returns jsonb language sql as $$ select pg_temp.read(p_uid,
  'get_accounts') $$;

select matches(pg_temp.add(c.args::jsonb), '^PT422 invalid_argument', c.sentence) from (values
  ('{"p_method": "wechat", "p_holder": "Chen", "p_account_no": "62220212345"}', 'an account is at a bank or at Alipay'),
  ('{"p_method": null, "p_holder": "Chen", "p_account_no": "62220212345"}', 'an account has a method'),
  (
    '{"p_method": "bank", "p_holder": " ", "p_account_no": "62220212345", "p_bank": "ICBC"}',
    'the name of a holder has visible characters'
  ),
  (
    '{"p_method": "bank", "p_holder": null, "p_account_no": "62220212345", "p_bank": "ICBC"}', 'an account has a holder'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen", "p_account_no": "1234567", "p_bank": "ICBC"}',
    'a bank account number has at least 8 characters'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen", "p_account_no": "=1+1+1+1+1", "p_bank": "ICBC"}',
    'a bank account number has only digits and letters'
  ),
  ('{"p_method": "bank", "p_holder": "Chen", "p_account_no": null, "p_bank": "ICBC"}', 'an account has a number'),
  ('{"p_method": "bank", "p_holder": "Chen", "p_account_no": "62220212345"}', 'a bank account has a bank'),
  (
    '{"p_method": "bank", "p_holder": "Chen", "p_account_no": "62220212345", "p_bank": "\u3000"}',
    'the name of a bank has visible characters'
  ),
  (
    '{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "13800000000", "p_bank": "ICBC"}',
    'an Alipay account has no bank'
  ),
  (
    '{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "chen"}',
    'an Alipay account is a phone number or an email address'
  ),
  (
    '{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "=chen@example.com"}',
    'an email address does not begin like a formula'
  ),
  ('{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "+chen@example.com"}', 'nor with another sign'),
  ('{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "a@b"}', 'an email address has a domain'),
  (
    '{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "a=b@c.cn"}',
    'an email address has no sign of a formula'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen\r\nW9,evil", "p_account_no": "62220212345", "p_bank": "ICBC"}',
    'a holder has no line break'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen\tX", "p_account_no": "62220212345", "p_bank": "ICBC"}',
    'a holder has no tab'
  ),
  (
    '{"p_method": "bank", "p_holder": "\u202Enehc", "p_account_no": "62220212345", "p_bank": "ICBC"}',
    'a holder has no mark of text direction'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen\u200b", "p_account_no": "62220212345", "p_bank": "ICBC"}',
    'a holder has no character without width'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen", "p_account_no": "62220212345", "p_bank": "IC\u0085BC"}',
    'a bank has no control character'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen", "p_account_no": "62220212345", "p_bank": "ICBC\r\nW9,evil"}',
    'a bank has no line break'
  ),
  ('{"p_method": "bank", "p_holder": "Chen", "p_account_no": "62220212345", "p_bank": "IC\tBC"}', 'a bank has no tab'),
  (
    '{"p_method": "bank", "p_holder": "Chen", "p_account_no": "6222 0212 3456 7890 123", "p_bank": "ICBC"}',
    'the digits of a card fit together'
  ),
  (
    '{"p_method": "bank", "p_holder": "Chen", "p_account_no": "6222021234567980", "p_bank": "ICBC"}',
    'so do those of a card of 16 digits'
  )
) as c (args, sentence);
select matches(
  pg_temp.add(
    jsonb_build_object(
      'p_method', 'bank', 'p_holder', repeat('a', h), 'p_account_no', '62220212345', 'p_bank', repeat('b', b)
    )
  ),
  '^PT422 invalid_argument',
  format('a holder of %s and a bank of %s characters are rejected', h, b)
) from (values (65, 64), (64, 65)) as c (h, b);
select is_empty('select from app.payout_accounts', 'none of these requests adds an account');

create temporary table first as
select pg_temp.add(
  '{"p_method": "bank", "p_holder": "Chen Jing", "p_account_no": "6222 0212 3456 7890 128", "p_bank": "ICBC"}'
)::jsonb as account;
select is(
  account - 'id' - 'add_time', '{"method": "bank", "holder": "Chen Jing", "account_no": "622****0128", "bank": "ICBC"}',
  'an account is returned with its number masked'
)
from first;
select is(account_no, '6222021234567890128', 'the number is kept without spaces') from app.payout_accounts;
select is(
  pg_temp.add(
    '{"p_method": "bank", "p_holder": "Chen Jing", "p_account_no": "6222021234567890128", "p_bank": "ICBC"}'
  )::jsonb,
  account, 'adding an account again returns it'
) from first;
select is(
  pg_temp.add('{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "chen@example.com"}')::jsonb ->> 'account_no',
  'che****.com', 'an Alipay account can be an email address'
);
select is(
  pg_temp.add('{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "13800001234"}')::jsonb ->> 'account_no',
  '138****1234', 'an Alipay account can be a phone number'
);
select is(
  pg_temp.add(
    '{"p_method": "bank", "p_holder": "Chen Jin", "p_account_no": "6222021234567890128", "p_bank": "ICBC"}'
  )::jsonb ->> 'holder',
  'Chen Jin', 'the same number with another holder is another account'
);
select is(jsonb_array_length(pg_temp.list(a)), 4, 'the member sees their accounts') from m;
select is(pg_temp.list(a)::text ~ '6222021234567890128|chen@example', false, 'the numbers are masked') from m;
select is(pg_temp.list(b), '[]', 'another member does not see them') from m;
select lives_ok(
  format(
    'select pg_temp.add(%L)',
    jsonb_build_object('p_method', 'alipay', 'p_holder', 'Chen', 'p_account_no', 13900000000 + n)
  ),
  format('a member can have %s accounts', n)
)
from generate_series(5, 10) as n;
select is(
  pg_temp.add('{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "13700000000"}'), 'PT409 too_many_accounts',
  'a member can have no more than 10 accounts'
);
select is(
  pg_temp.add('{"p_method": "alipay", "p_holder": "Chen", "p_account_no": "13800001234"}')::jsonb ->> 'account_no',
  '138****1234', 'at the limit, adding an existing account returns it'
);

select is(
  app.check_payout_account('bank', 'Chen', n, 'ICBC')::text, '',
  format('%s is no card number of UnionPay, or a right one', n)
)
from (values ('6222021234567894'), ('4402021234567890123'), ('622202123456789'), ('62220212345678901231')) as v (n);
create temporary table id as select (account ->> 'id')::bigint as first from first;
select is(
  app.check_payout_account('bank', repeat('a', 64), '62220212345', repeat('b', 64))::text, '',
  'names of 64 characters are accepted'
);
select is(pg_temp.remove(b, first), 'PT404 account_not_found', 'nobody else can delete an account') from m, id;
create temporary table w as select l.id from m, id, app.request_withdrawal(m.a, 100, 'bank', id.first, now()) as l;
select is(
  pg_temp.remove(a, first), 'PT409 account_in_use', 'an account to which an open withdrawal goes cannot be deleted'
)
from m, id;
select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'refused', now(), 'Wrong');
select is(
  pg_temp.remove(a, first)::jsonb, jsonb_build_object('id', first),
  'when the withdrawal has ended, the account can be deleted'
)
from m, id;
select is(pg_temp.remove(a, first), 'PT404 account_not_found', 'an account is deleted once') from m, id;
select is(deleted_at is not null and account_no <> '', true, 'finance still knows where the money was to go')
from app.payout_accounts as a, id where a.id = id.first;
select is(
  pg_temp.attempt('none', format('select app.request_withdrawal(%s, 100, ''bank'', %s, now())', a, first)),
  'PT404 account_not_found', 'a deleted account takes no withdrawal'
) from m, id;
select is(
  (
    pg_temp.add(
      '{"p_method": "bank", "p_holder": "Chen Jing", "p_account_no": "6222021234567890128", "p_bank": "ICBC"}'
    )::jsonb ->> 'id'
  )::bigint > first,
  true, 'a deleted account can be added again'
) from id;

select * from finish();
rollback;
