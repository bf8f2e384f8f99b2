create or replace function app.reconcile_decisions(p_sample integer default 200, p_seed bigint default 0, p_skip integer default 0, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'decision_equals_what_was_booked', format('order %s, %s', s.order_id, d.subject), d.expected, d.actual
  from (select s.* from app.settlements as s where s.state <> 'imported' and s.settled_at >= greatest(p_since, app.archived_until('user_bill')) order by hashint8extended(s.order_id, p_seed), s.order_id limit p_sample offset p_skip) as s
  cross join lateral app.settlement_differences(s) as d
$$;

comment on function app.reconcile_decisions is
  'Decides a sample of settlements again, from the state in which they were decided, and returns what differs from the booked '
  'result. Imported orders are left out, because the store decided nothing about them. p_sample is the size of the sample, null for all settlements; another p_seed draws another sample; p_skip leaves out as many of its first settlements. Only settlements since p_since are drawn, and only those whose bill rows are attached.';
