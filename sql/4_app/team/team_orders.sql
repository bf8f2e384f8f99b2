-- As in app.umbrella_people: of a small team, all orders are read; for a large one, the orders of the whole store in the order of
-- payment, and those of buyers who are not in the team are left out.
-- Raises: serialization_failure (see app.hold_months).
create or replace function app.team_orders(
  p_uid bigint, p_paid_at timestamptz, p_id bigint, p_limit integer, out list jsonb, out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_team constant bigint[] := app.small_team(p_uid);
  v_can_rise constant boolean := (select u.agent_level < app.top_grade() from app.users as u where u.uid = p_uid);
  v_paid_at timestamptz := p_paid_at;
  v_id bigint := p_id;
  v_count integer := p_limit;
  v_rows_read integer := 0;
  v_orders app.orders[];
  v_order app.orders;
  v_below bigint[];
  v_json jsonb;
begin
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  list := '[]';
  loop
    v_orders := app.paid_orders(v_team, v_paid_at, v_id, v_count);
    if v_team is null then
      select b.uids, v_rows_read + b.rows_read into v_below, v_rows_read
      from app.members_below(p_uid, array(select distinct o.uid from unnest(v_orders) as o)) as b;
    end if;
    foreach v_order in array v_orders loop
      exit when jsonb_array_length(list) = p_limit;
      v_paid_at := v_order.paid_at;
      v_id := v_order.id;
      v_rows_read := v_rows_read + 1;
      if v_order.has_queue_goods and (v_team is not null or v_order.uid = any (v_below)) then
        v_json := app.team_order_json(p_uid, v_can_rise, v_order);
        list := case when v_json is null then list else list || v_json end;
      end if;
    end loop;
    exit when jsonb_array_length(list) = p_limit or cardinality(v_orders) < v_count or v_rows_read >= v_limit;
    -- Not more, because each order is looked up in an array of their buyers.
    v_count := least(4 * v_count, 500, v_limit - v_rows_read);
  end loop;
  if jsonb_array_length(list) = p_limit or cardinality(v_orders) = v_count then
    next_cursor := app.make_cursor(v_paid_at, v_id);
  end if;
end
$$;

comment on function app.team_orders is
  'Returns one page of the orders below a member that paid the member or count for the member''s tasks, from the given position, '
  'latest payment first, and the cursor of the next page, or null after the last. A page reads little more than '
  'app.page_read_limit orders and members. It can therefore be shorter than p_limit without being the last.';
