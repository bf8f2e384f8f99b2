create or replace function app.outbox_json(p_row app.outbox)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_row.id, 'kind', p_row.kind, 'key', p_row.key, 'order_id', (p_row.payload ->> 'order_id')::bigint,
    'withdrawal_id', (p_row.payload ->> 'withdrawal_id')::bigint, 'state', p_row.state,
    'attempts', p_row.attempts, 'run_after', app.utc(p_row.run_after), 'last_problem', p_row.last_problem,
    'created_at', app.utc(p_row.created_at)
  )
$$;

comment on function app.outbox_json is 'Returns a row of the outbox as administrators see it, without its payload.';

grant execute on function app.outbox_json(app.outbox) to store_admin;
