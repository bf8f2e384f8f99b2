-- The journal of a month: each event of the bill as postings of accounts, for programs of bookkeeping.

-- Has no set clause, so that the planner can inline it.
create or replace function app.posting(p_account text, p_uid bigint, p_amount numeric, p_currency text)
returns jsonb
language sql
stable
parallel safe
as $$
  select pg_catalog.jsonb_build_object(
    'account', p_account, 'uid', p_uid, 'amount', pg_catalog.trim_scale(p_amount)::pg_catalog.text, 'currency',
    p_currency
  )
$$;

comment on function app.posting is
  'Returns a posting: debit above zero, credit below. uid is null for an account that all members share. Currencies: '
  'CNY and PTS, points.';

grant execute on function app.posting(text, bigint, numeric, text) to store_admin;

-- What a member has is a liability, so that a row which gives something credits the member.
-- Has no set clause, so that the planner can inline it.
create or replace function app.postings_of_part(
  p_part text, p_account text, p_currency text, p_uid bigint, p_counter text, p_delta numeric
)
returns jsonb
language sql
stable
parallel safe
as $$
  select case when p_delta = 0 then '[]'::pg_catalog.jsonb else
    pg_catalog.jsonb_build_array(app.posting(p_account, p_uid, -p_delta, p_currency))
    || case when p_counter is null then '[]'::pg_catalog.jsonb else pg_catalog.jsonb_build_array(app.posting(
      case
        when p_counter in ('adjustments', 'opening_balances', 'brought_forward') then p_counter || '_' || p_part
        else p_counter
      end,
      case when p_counter in ('commission_expense', 'promotion_expense') then p_uid end, p_delta, p_currency
    )) end
  end
$$;

comment on function app.postings_of_part is
  'Returns the postings of a change of one balance (p_part: commission, frozen, available): on the account of the '
  'member, and on that of p_counter. None if nothing changed.';

grant execute on function app.postings_of_part(text, text, text, bigint, text, numeric) to store_admin;

create or replace function app.journal_postings(
  p_uid bigint, p_counter text, p_brokerage numeric, p_frozen numeric, p_available numeric
)
returns jsonb
language plpgsql
stable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.postings_of_part('commission', 'commission_payable', 'CNY', p_uid, p_counter, p_brokerage)
    || app.postings_of_part('frozen', 'points_frozen', 'PTS', p_uid, p_counter, p_frozen)
    || app.postings_of_part('available', 'points_available', 'PTS', p_uid, p_counter, p_available);
end
$$;

comment on function app.journal_postings is
  'Returns the postings of what a member was given or, negative, lost (app.postings_of_part).';

grant execute on function app.journal_postings(bigint, text, numeric, numeric, numeric) to store_admin;

-- The balances at an instant are those before the next row, or of now: they do not depend on the rows of the month.
create or replace function app.journal_members(p_at timestamptz, p_is_end boolean, p_after bigint, p_limit integer)
returns table (uid bigint, brokerage numeric, frozen numeric, available numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
begin
  if p_is_end then
    return query
      select b.uid, coalesce(r.brokerage_after - r.brokerage_delta, b.brokerage_price),
        coalesce(r.frozen_after - r.frozen_delta, b.frozen_points),
        coalesce(r.available_after - r.available_delta, b.available_points)
      from app.user_balances as b
      left join lateral (
        select l.* from app.bill(p_at, 'infinity') as l where l.uid = b.uid order by l.add_time, l.id limit 1
      ) as r on true
      where b.uid > p_after order by b.uid limit p_limit;
  else
    return query
      select b.uid, coalesce(r.brokerage_after, 0.00), coalesce(r.frozen_after, 0.0000),
        coalesce(r.available_after, 0.0000)
      from app.user_balances as b
      left join lateral (
        select l.* from app.bill('-infinity', p_at) as l where l.uid = b.uid order by l.add_time desc, l.id desc limit 1
      ) as r on true
      where b.uid > p_after order by b.uid limit p_limit;
  end if;
end
$$;

comment on function app.journal_members is
  'Returns the balances of the next p_limit members after p_after at p_at, the beginning or the end of a month.';

grant execute on function app.journal_members(timestamptz, boolean, bigint, integer) to store_admin;

-- Has no set clause, so that the planner can inline it.
create or replace function app.journal_entry(
  p_id text, p_time text, p_type text, p_uid bigint, p_postings jsonb, p_order_id bigint, p_withdrawal_id bigint,
  p_adjustment_id bigint
)
returns jsonb
language sql
stable
parallel safe
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_id, 'time', p_time, 'type', p_type, 'uid', p_uid, 'order_id', p_order_id, 'withdrawal_id', p_withdrawal_id,
    'adjustment_id', p_adjustment_id, 'postings', p_postings
  )
$$;

comment on function app.journal_entry is 'Returns an entry of a journal.';

grant execute on function app.journal_entry(text, text, text, bigint, jsonb, bigint, bigint, bigint) to store_admin;

create or replace function app.journal_bill(p_from timestamptz, p_to timestamptz, p_cursor text, p_limit integer)
returns table (cursor text, entry jsonb)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_after record := app.line_position(p_cursor);
  v_from timestamptz := greatest(p_from, v_after.add_time);
  v_zone text := (select s.time_zone from app.settings as s);
begin
  return query
    select app.make_cursor(b.add_time, b.id), app.journal_entry(
      'B' || b.id, app.local_time(b.add_time, v_zone), b.type, b.uid,
      app.journal_postings(b.uid, app.journal_counter(b.type), b.brokerage_delta, b.frozen_delta, b.available_delta),
      b.order_id, b.withdrawal_id, b.adjustment_id
    )
    from app.bill(v_from, p_to) as b
    where (b.add_time, b.id) > (v_after.add_time, v_after.id)
    order by b.add_time, b.id limit p_limit;
end
$$;

comment on function app.journal_bill is
  'Returns the entries of the bill from p_from until before p_to, oldest first, with their cursors.';

grant execute on function app.journal_bill(timestamptz, timestamptz, text, integer) to store_admin;

create or replace function app.journal_payouts(p_from timestamptz, p_to timestamptz, p_cursor text, p_limit integer)
returns table (cursor text, entry jsonb)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_after record := app.line_position(p_cursor);
  v_zone text := (select s.time_zone from app.settings as s);
begin
  return query
    select app.make_cursor(w.ended_at, w.id), app.journal_entry(
      'W' || w.id, app.local_time(w.ended_at, v_zone), 'withdrawal_paid', w.uid, jsonb_build_array(
        app.posting('payouts_in_transit', null, w.amount, 'CNY'), app.posting('bank', null, -app.net_amount(w), 'CNY'),
        app.posting('withdrawal_fees', null, -w.fee, 'CNY'), app.posting('withheld_tax', null, -w.tax, 'CNY')
      ), null, w.id, null
    )
    from app.withdrawals as w
    where w.state = 'paid' and w.ended_at >= p_from and w.ended_at < p_to
      and (w.ended_at, w.id) > (v_after.add_time, v_after.id)
    order by w.ended_at, w.id limit p_limit;
end
$$;

comment on function app.journal_payouts is
  'Returns the entries of withdrawals that were paid from p_from until before p_to, oldest first, with their cursors.';

grant execute on function app.journal_payouts(timestamptz, timestamptz, text, integer) to store_admin;

create or replace function app.journal_balances(p_part text, p_at timestamptz, p_cursor text, p_limit integer)
returns table (cursor text, entry jsonb)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.make_cursor('epoch', m.uid), app.journal_entry(
    'M' || m.uid, app.local_time(p_at, s.time_zone), p_part, m.uid, case p_part
      when 'opening' then app.journal_postings(m.uid, 'brought_forward', m.brokerage, m.frozen, m.available)
      else jsonb_build_array(
        app.posting('commission_payable', m.uid, -m.brokerage, 'CNY'),
        app.posting('points_frozen', m.uid, -m.frozen, 'PTS'),
        app.posting('points_available', m.uid, -m.available, 'PTS')
      )
    end, null, null, null
  )
  from app.settings as s
  cross join lateral app.line_position(p_cursor) as after
  cross join lateral app.journal_members(p_at, p_part = 'closing', after.id, p_limit) as m
  order by m.uid
$$;

comment on function app.journal_balances is
  'Returns for the next members what they bring into a month (opening), or the balances that must result (closing), '
  'which are no postings, with cursors.';

grant execute on function app.journal_balances(text, timestamptz, text, integer) to store_admin;

-- Security invoker: reads with the rights of the caller.
create or replace function app.journal_chunk(p_month text, p_part text, p_cursor text, p_limit integer)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bounds record := app.month_bounds(app.month_start(p_month));
  v_entries jsonb[];
  v_cursors text[];
begin
  case p_part
    when 'bill' then
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality)
      into v_entries, v_cursors
      from app.journal_bill(
        v_bounds.begins_at, v_bounds.ends_at, p_cursor, p_limit
      ) with ordinality as e (cursor, entry, ordinality);
    when 'payouts' then
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality)
      into v_entries, v_cursors
      from app.journal_payouts(
        v_bounds.begins_at, v_bounds.ends_at, p_cursor, p_limit
      ) with ordinality as e (cursor, entry, ordinality);
    else
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality)
      into v_entries, v_cursors
      from app.journal_balances(
        p_part, case p_part when 'opening' then v_bounds.begins_at else v_bounds.ends_at end, p_cursor, p_limit
      )
        with ordinality as e (cursor, entry, ordinality);
  end case;
  return jsonb_build_object(
    'entries', coalesce(to_jsonb(v_entries), '[]'), 'next_cursor',
    case when cardinality(v_cursors) = p_limit then v_cursors[p_limit] end
  );
end
$$;

comment on function app.journal_chunk is
  'Returns the next chunk of the journal of a month, YYYY-MM: {entries, next_cursor}. Parts: opening (what members '
  'bring into it), bill, payouts (paid withdrawals), closing (the balances that must result, which are no postings).';

grant execute on function app.journal_chunk(text, text, text, integer) to store_admin;

-- What the accounts on the other side must come to, from other tables than the bill.
create or replace function app.journal_totals(p_month text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from timestamptz;
  v_to timestamptz;
begin
  select b.begins_at, b.ends_at into v_from, v_to from app.month_bounds(app.month_start(p_month)) as b;
  return (
    select jsonb_agg(app.posting(t.account, null, t.amount, t.currency) order by t.account)
    from (
      select 'payouts_in_transit' as account,
        -coalesce(sum(w.amount) filter (where w.add_time >= v_from and w.add_time < v_to), 0)
        + coalesce(sum(w.amount) filter (where w.ended_at >= v_from and w.ended_at < v_to), 0) as amount,
        'CNY' as currency
      from app.withdrawals as w
      union all
      -- By the records of what was withheld. Payouts that failed have a reversal.
      select 'withheld_tax', -coalesce(sum(t.tax), 0), 'CNY'
      from app.tax_withholdings as t join app.withdrawals as w on w.id = t.withdrawal_id
      where w.state = 'paid' and w.ended_at >= v_from and w.ended_at < v_to
      union all
      select 'redeemed_points',
        -coalesce(sum(o.points_spent) filter (where o.add_time >= v_from and o.add_time < v_to), 0)
        + coalesce(sum(o.points_spent) filter (where o.cancelled_at >= v_from and o.cancelled_at < v_to), 0)
        + coalesce((
          select sum(r.points) from app.refunds as r
          where app.is_paid_back(r.state) and r.decided_at >= v_from and r.decided_at < v_to
        ), 0), 'PTS'
      from app.orders as o where o.points_spent > 0
      union all
      select 'adjustments_commission', coalesce(sum(a.brokerage_delta), 0), 'CNY'
      from app.adjustments as a where a.state = 'booked' and a.decided_at >= v_from and a.decided_at < v_to
      union all
      select 'adjustments_frozen', coalesce(sum(a.frozen_delta), 0), 'PTS'
      from app.adjustments as a where a.state = 'booked' and a.decided_at >= v_from and a.decided_at < v_to
      union all
      select 'adjustments_available', coalesce(sum(a.available_delta), 0), 'PTS'
      from app.adjustments as a where a.state = 'booked' and a.decided_at >= v_from and a.decided_at < v_to
    ) as t
  );
end
$$;

comment on function app.journal_totals is
  'Returns what the accounts on the other side must come to in a month, read from other tables than the bill.';

create or replace function app.placed_after(p_order app.orders)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select u.spread_position from app.users as u
  where u.uid = p_order.uid and u.spread_time = p_order.add_time and u.spread_uid = p_order.referrer_uid
$$;

comment on function app.placed_after is
  'Returns the position at which the buyer of an order got its referrer, if that was at the instant of the order; '
  'otherwise null.';

create or replace function app.journal_events(p_until timestamptz)
returns setof json
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with events as (
    select p.created_at as at, null::bigint as position, p.version as plan, 0 as rank, p.version::bigint as number,
      json_build_object('do', 'change_plan', 'plan', json_build_object(
      'people_per_cycle', p.people_per_cycle, 'tier_ratios',
      (
        select json_agg(trim_scale(r.ratio)::text order by r.ordinality)
        from unnest(p.tier_ratios) with ordinality as r (ratio)
      ),
      'brokerage_scope', p.brokerage_scope, 'brokerage_timing', p.brokerage_timing, 'points_per_brokerage',
      trim_scale(p.points_per_brokerage)::text,
      'max_depth', p.max_depth, 'payout_cap', trim_scale(p.payout_cap)::text, 'minimum_base', p.minimum_base::text,
      'holding_days', p.holding_days
    )) as event
    from app.commission_plans as p
    union all
    select u.spread_time, u.spread_position, null, 1, u.spread_position,
      json_build_object('do', 'refer', 'member', 'm' || u.uid, 'referrer', 'm' || u.spread_uid)
    from app.users as u where u.spread_uid is not null
    union all
    select c.from_time, c.from_position, null, 1, c.from_position,
      json_build_object('do', 'refer', 'member', 'm' || c.uid, 'referrer', 'm' || c.from_uid)
    from app.spread_changes as c where c.from_uid is not null
    union all
    select u.left_at, u.left_position, null, 1, u.left_position,
      json_build_object('do', 'leave', 'member', 'm' || u.uid, 'asked', app.gave_up(u.uid))
    from app.users as u where u.left_at is not null
    union all
    -- Orders are placed in the sequence of their ids, which decides between orders that were paid at the same moment.
    select o.add_time, app.placed_after(o), null, 2, o.id,
      json_build_object('do', 'order', 'order', 'o' || o.id, 'buyer', 'm' || o.uid, 'lines', (
      select json_agg(json_build_object(
        'price', l.price::text, 'is_queue_goods', l.is_queue_goods, 'units', l.quantity, 'discount',
        (l.discount + l.paid_by_points)::text
      ) order by l.id)
      from app.order_lines as l where l.order_id = o.id
    ))
    from app.orders as o where o.paid_at is not null and o.has_queue_goods
    union all
    select o.paid_at, case when o.paid_at = o.add_time then app.placed_after(o) end, o.plan_version, 3, o.id,
      json_build_object('do', 'pay', 'order', 'o' || o.id)
    from app.orders as o where o.paid_at is not null and o.has_queue_goods
    union all
    -- A refund of all goods settles an order that waits, in the same transaction. The evaluator does so by itself, so
    -- these settlements are left out.
    select s.settled_at, min(s.position), max(s.plan_in_force), 4, min(s.position),
      json_build_object(
        'do', min(case p.brokerage_timing when 'confirm' then 'receive' else 'settle' end), 'orders',
        json_agg('o' || s.order_id order by s.order_id)
      )
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    join app.commission_plans as p on p.version = o.plan_version
    where s.state <> 'imported' and (s.state <> 'refunded' or not exists (
      select from app.refunds as r
      where r.order_id = s.order_id and app.is_paid_back(r.state) and r.decided_at = s.settled_at
        and r.decided_position < s.position
    ))
    group by s.settled_at, s.batch, case when s.batch is null then s.order_id end, p.brokerage_timing
    union all
    select r.decided_at, r.decided_position, case when r.decided_at = o.paid_at then o.plan_version end, 5,
      r.decided_position, json_build_object('do', 'refund', 'order', 'o' || r.order_id, 'lines', (
      select json_agg(
        case
          when i.concession > 0 then json_build_object('line', n.number, 'amount', i.concession::text)
          else json_build_object('line', n.number, 'units', i.quantity)
        end
        order by n.number
      )
      from app.refund_lines as i
      join (
        select l.id, row_number() over (order by l.id) as number from app.order_lines as l where l.order_id = r.order_id
      ) as n on n.id = i.line_id
      where i.refund_id = r.id and (i.quantity > 0 or i.concession > 0)
    ))
    from app.refunds as r join app.orders as o on o.id = r.order_id and o.has_queue_goods
    -- Freight alone changes nothing of what commission comes of.
    where app.is_paid_back(r.state)
      and exists (select from app.refund_lines as i where i.refund_id = r.id and (i.quantity > 0 or i.concession > 0))
  ),
  -- At one instant, a plan comes before what happened under it, and then positions decide.
  under as (
    select e.*, coalesce(greatest(
      e.plan,
      max(e.plan) filter (where e.position is not null) over (
        partition by e.at order by e.position nulls first rows unbounded preceding
      )
    ), 0) as plan_in_force
    from events as e where e.at < p_until
  )
  select json_build_object('at', to_char(u.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'event', u.event)
  from under as u
  order by u.at, u.plan_in_force, u.position nulls first, u.rank, u.number
$$;

comment on function app.journal_events is
  'Returns what happened before p_until, in sequence, without what settlements decided: plans, referrers, members who '
  'left, paid orders, calls that settled, refunds. The evaluator of the rules computes commission from it (decision '
  '0123).';
