-- One snapshot: the scheduler records its runs at any time.
begin isolation level repeatable read;
\ir ../support/fixture.psql
select plan(1);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id,
  pg_temp.buy((select a from m)) as waiting;
select app.request_refund(id, null, '', now()) from o;
select app.release_members('2026-01-02', array[(select a from m)], now()), pg_temp.grade((select a from m), 1),
  app.set_no_assess((select a from m), true, null, now());
insert into app.products (title, price, is_show) values ('Hidden', 1, false);
insert into app.article_categories (title, hidden) values ('Hidden', true);
insert into app.articles (cid, title, status) select max(id), 'Draft', 0 from app.article_categories;

create function pg_temp.counts() returns table (name text, amount bigint) language plpgsql as $$
begin
  for name in select c.relname from pg_class as c
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    -- Except secrets of the edge functions and machine keys, webhooks, counts of visitors, stored responses, address
    -- books, payers, accounts and real names of members, and whose password may be a stranger's.
    and c.relname not in (
      'wechat_accounts', 'wechat_tokens', 'idempotency_keys', 'addresses', 'payout_accounts', 'real_names',
      'payment_payers', 'transfers', 'imported_members', 'imported_openids', 'unproved_passwords', 'invitations',
      'hourly_counts', 'machine_keys', 'webhooks', 'webhook_deliveries', 'webhook_position'
    )
    and c.relname not like 'staged%' loop
    execute format('select count(*) from app.%I', name) into amount;
    return next;
  end loop;
end $$;
create function pg_temp.counts_as_administrator() returns table (name text, amount bigint) language plpgsql as $$
begin
  perform set_config('role', 'store_admin', true);
  return query select * from pg_temp.counts();
  perform set_config('role', 'none', true);
end $$;
grant store_admin to postgres;
grant execute on function pg_temp.counts() to store_admin;
select set_eq(
  'select * from pg_temp.counts_as_administrator()', 'select * from pg_temp.counts()',
  'an administrator reads every row of every table'
);

select * from finish();
rollback;
