-- Has no search path of its own, so that the planner can inline it.
create or replace function app.withdrawal_line(p_row app.withdrawals, p_time_zone text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id::pg_catalog.text, 'no', p_row.withdrawal_no, 'uid', p_row.uid::pg_catalog.text, 'method', p_row.method, 'account', p_row.account_hint,
    'amount', p_row.amount::pg_catalog.text, 'fee', p_row.fee::pg_catalog.text, 'paid_out', (p_row.amount - p_row.fee)::pg_catalog.text,
    'state', p_row.state, 'reason', p_row.reason, 'payment_ref', p_row.payment_ref,
    'requested', pg_catalog.to_char(p_row.add_time at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS'),
    'approved', pg_catalog.to_char(p_row.approved_at at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS'),
    'ended', pg_catalog.to_char(p_row.ended_at at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS')
  )
$$;

comment on function app.withdrawal_line is
  'Returns a withdrawal as a line of a CSV file: all values as text, the account masked, and times in p_time_zone.';

grant execute on function app.withdrawal_line(app.withdrawals, text) to store_admin;
