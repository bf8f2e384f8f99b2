-- Raises: forbidden, invalid_argument.
create or replace function api.get_debts(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  v_skip := app.check_page(p_page, p_limit);
  return (
    with debts as materialized (
      select d.uid, d.brokerage_price, d.maturing, d.maturing - d.brokerage_price as debt from app.debts(clock_timestamp()) as d
    )
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(jsonb_build_object(
          'uid', l.uid, 'nickname', (select u.nickname from app.users as u where u.uid = l.uid), 'brokerage_price', l.brokerage_price::text,
          'maturing', l.maturing::text, 'debt', l.debt::text,
          'open_withdrawal_id', (select w.id from app.withdrawals as w where w.uid = l.uid and w.ended_at is null)
        ) order by l.debt desc, l.uid)
        from (select d.* from debts as d order by d.debt desc, d.uid offset v_skip limit p_limit) as l
      ), '[]'),
      'count', (select count(*) from debts),
      'total', (select coalesce(sum(d.debt), 0.00)::text from debts as d)
    )
  );
end
$$;

comment on function api.get_debts is
  'Returns one page of the members who withdrew more commission than refunds left them, the largest debt first, and the sum of all debts. '
  'Serves GET /adminapi/debt.';

grant execute on function api.get_debts(integer, integer) to store_admin;
