begin;
\ir ../../support/fixture.psql
select plan(4);

-- A stand-in for the extension pg_net and for Vault.
delete from app.outbox;
select app.add_to_outbox('test', 'a', '{}', now(), now());
select lives_ok('select app.call_worker()', 'without pg_net and Vault, nothing is called');
create schema net;
create schema vault;
create table vault.decrypted_secrets (name text, decrypted_secret text);
create table net.calls (url text, body jsonb, headers jsonb);
create function net.http_post(
  url text, body jsonb, headers jsonb
) returns bigint language sql as $$ insert into net.calls values (url, body, headers)
  returning 1::bigint $$;
insert into vault.decrypted_secrets values ('store_worker_url', 'https://example.com/functions/v1/worker/run'),
  ('store_worker_secret', 'the secret');
select app.call_worker();
select results_eq(
  'select url, headers ->> ''x-worker-secret'' from net.calls',
  $$ values ('https://example.com/functions/v1/worker/run', 'the secret') $$,
  'with them, the worker is called with its secret'
);
delete from app.outbox;
select app.call_worker();
select is((select count(*)::integer from net.calls), 1, 'an empty outbox calls nobody');
delete from app.clock;
insert into app.clock (trusted_at) values (now() - interval '7 hours');
select app.call_worker();
select is(
  (select count(*)::integer from net.calls), 2,
  'but the worker is called to compare its clock while that of the database is doubtful'
);

select * from finish();
rollback;
