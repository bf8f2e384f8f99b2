-- Without pg_net or without the secrets it does nothing: the local stack calls its worker itself.
-- The names of schemas net and vault are inserted into dynamic SQL, because they do not exist everywhere, and linters check constant texts.
-- Idempotent: a worker takes only rows that are due.
create or replace function app.call_worker()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_url text;
  v_secret text;
begin
  if not exists (select from app.outbox as o where o.state = 'waiting' and o.run_after <= clock_timestamp())
    or to_regnamespace('net') is null or to_regclass('vault.decrypted_secrets') is null then
    return;
  end if;
  execute format($sql$
    select max(s.decrypted_secret) filter (where s.name = 'store_worker_url'), max(s.decrypted_secret) filter (where s.name = 'store_worker_secret')
    from %s as s where s.name in ('store_worker_url', 'store_worker_secret')
  $sql$, to_regclass('vault.decrypted_secrets')) into v_url, v_secret;
  if v_url is null or v_secret is null then
    raise warning 'The outbox has work, but the secrets store_worker_url and store_worker_secret are not in Vault (docs/operations.md).';
    return;
  end if;
  execute format($sql$
    select %I.http_post(url => $1, body => '{}'::jsonb, headers => jsonb_build_object('content-type', 'application/json', 'x-worker-secret', $2))
  $sql$, 'net') using v_url, v_secret;
end
$$;

comment on function app.call_worker is
  'Calls the edge function worker by pg_net if the outbox has rows that are due, with the address and the secret from Vault '
  '(store_worker_url, store_worker_secret).';
