create or replace function app.archive_obstacle(p_table text, p_month date, p_now timestamptz)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_part regclass := app.month_part(p_table, p_month);
  v_window interval := (select s.refund_window_days from app.settings as s) * interval '1 day';
  v_bounds record := app.part_bounds(p_table, p_month);
  v_ends_at timestamptz := (p_month + interval '1 month') at time zone 'UTC';
  v_is_behind boolean;
  v_unreleased date;
  v_open bigint;
begin
  if v_part is null then
    return 'it has no partition of its own';
  elsif app.oldest_part(p_table) <> p_month then
    return format('%s is older and not archived', to_char(app.oldest_part(p_table), 'YYYY-MM'));
  elsif v_ends_at > p_now - v_window then
    return format('it ended less than %s days ago', extract(day from v_window));
  end if;
  execute format('select exists (select from app.%I as t where t.%I < %L)', p_table || '_default', v_bounds.key, v_bounds.upper) into v_is_behind;
  if v_is_behind then
    return 'the default partition has rows that are as old';
  elsif p_table = 'admin_actions' then
    return null;
  end if;
  execute format('select greatest(max(t.add_time), %L) >= %L from %s as t', v_ends_at, app.carried_until() + interval '1 microsecond', v_part) into v_is_behind;
  if v_is_behind then
    return 'the nightly reconciliation has not proved it as a closed month';
  end if;
  v_unreleased := (select min(u.day) from app.unreleased_days((p_month + interval '1 month')::date - 1) as u (day));
  if v_unreleased is not null then
    return format('the release of %s is not finished', v_unreleased);
  elsif p_table = 'points_release_log' then
    return null;
  end if;
  v_open := app.open_order_of_part(v_part, p_now - v_window, p_now);
  if v_open is not null then
    return format('order %s is open, can be refunded, or has commission that matures', v_open);
  end if;
  execute format('select min(w.id) from %s as l join app.withdrawals as w on w.id = l.withdrawal_id where w.ended_at is null', v_part) into v_open;
  return case when v_open is not null then format('withdrawal %s is open', v_open) end;
end
$$;

comment on function app.archive_obstacle is 'Returns why a month of the bill, the release log or the action log cannot be archived, or null if it can.';
