-- Closing a month, and what the store owes its members.

-- First takes locks that block writers but not readers, and adds up the sums under them, so that no row is missed.
-- Readers wait only while the constraints are added, which reads no row. An attempt waits for each lock at most 0.1
-- seconds. Then the writers that queue behind it go on, and the next attempt begins after a random pause.
-- Locks: the closed months, the partitions of the month.
-- Idempotent: a closed month is returned as it is.
create or replace function app.close_month(p_month text, p_closed_by uuid)
returns app.closed_months
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_first date := app.month_start(p_month);
  v_from timestamptz;
  v_to timestamptz;
  v_closed app.closed_months;
  v_partition regclass;
begin
  if (app.month_bounds(v_first)).ends_at > clock_timestamp() then
    perform app.fail('invalid_argument', format('The month %s is not over.', p_month));
  elsif (app.month_bounds(v_first)).ends_at > app.trusted_time(null) then
    perform app.fail(
      'clock_doubtful',
      format(
        'Whether the month %s is over is not certain until a second clock agrees, or app.confirm_clock() is called.',
        p_month
      )
    );
  end if;
  for v_try in 1..40 loop
    begin
      lock table app.closed_months in share row exclusive mode;
      select c.* into v_closed from app.closed_months as c where c.month = v_first;
      if found then
        return v_closed;
      end if;
      select m.begins_at, m.ends_at into v_from, v_to from app.month_bounds(v_first) as m;
      for v_partition in select p.part from app.partitions_of(v_from, v_to) with ordinality as p (part, place)
        order by p.place loop
        execute format('lock table %s in share row exclusive mode', v_partition);
      end loop;
      insert into app.closed_months (month, begins_at, ends_at, sums, closed_at, closed_by)
      values (v_first, v_from, v_to, app.bill_sums(v_from, v_to), clock_timestamp(), p_closed_by)
      returning * into v_closed;
      for v_partition in select p.part from app.partitions_of(v_from, v_to) with ordinality as p (part, place)
        order by p.place loop
        perform app.forbid_late_rows(v_partition, v_first, v_from, v_to);
      end loop;
      return v_closed;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
end
$$;

comment on function app.close_month is
  'Closes a business month that is over, YYYY-MM: stores the sums of its bill rows, and makes the bill reject further '
  'rows of it. Returns a closed month as it is. Raises invalid_argument if it is not over, clock_doubtful, and '
  'lock_not_available.';

-- Reads the table: the first row of the bill is no release, so it stands there.
create or replace function app.months_to_close(p_now timestamptz)
returns table (month date)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select m.month::date
  from (
    select app.month_of(b.add_time)::timestamp as first_month
    from app.user_bill as b order by b.add_time, b.id limit 1
  ) as f
  cross join lateral generate_series(
    f.first_month, app.month_of(p_now)::timestamp - interval '1 month', interval '1 month'
  ) as m (month)
  where not exists (select from app.closed_months as c where c.month = m.month::date)
$$;

comment on function app.months_to_close is
  'Returns the first days of the months that are over at p_now but not closed, from that of the first bill row on.';

grant execute on function app.months_to_close(timestamptz) to store_admin;

create or replace function app.closed_month_json(p_row app.closed_months)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'month', to_char(p_row.month, 'YYYY-MM'), 'from', app.utc(p_row.begins_at), 'to', app.utc(p_row.ends_at), 'sums',
    p_row.sums,
    'total', (
      select jsonb_build_object(
        'rows', coalesce(sum(s.rows), 0), 'brokerage', coalesce(sum(s.brokerage), 0.00)::text, 'frozen_points',
        trim_scale(coalesce(sum(s.frozen_points), 0)),
        'available_points', trim_scale(coalesce(sum(s.available_points), 0))
      )
      from jsonb_to_recordset(p_row.sums) as s (
        rows bigint, brokerage numeric(14,2), frozen_points numeric, available_points numeric
      )
    ),
    'closed_at', app.utc(p_row.closed_at), 'closed_by', app.actor_json(p_row.closed_by), 'seal',
    app.seal_json(p_row.month)
  )
$$;

comment on function app.closed_month_json is
  'Returns a closed month as the API shows it, with its sums, their totals and its seal.';

grant execute on function app.closed_month_json(app.closed_months) to store_admin;

create or replace function app.liabilities_json(p_at timestamptz, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'as_of', app.utc(coalesce(p_at, p_now)), 'owed', t.owed::text, 'withdrawable', t.withdrawable::text,
    'held_by_refunds', t.held_by_refunds::text, 'maturing', t.maturing::text,
    'maturing_after_receipt', t.after_receipt::text, 'reserved', t.reserved::text,
    'left', jsonb_build_object(
      'members', t.left_members, 'commission', t.left_commission::text, 'frozen_points', trim_scale(t.left_frozen),
      'available_points', trim_scale(t.left_available)
    ),
    'debts', (t.debts_covered + t.debts_uncovered)::text, 'debts_covered', t.debts_covered::text, 'debts_uncovered',
    t.debts_uncovered::text, 'members_in_debt', t.debtors,
    'matures', (
      select coalesce(jsonb_agg(jsonb_build_object('date', d.day, 'amount', d.amount::text) order by d.day), '[]')
      from (
        select app.business_day(m.matures_at) as day, sum(m.amount) as amount
        from app.maturing_at(p_at, p_now) as m where m.matures_at is not null group by 1
      ) as d
    ),
    'tax', (
      select jsonb_build_object(
        'month', to_char(m.month, 'YYYY-MM'), 'withheld',
        coalesce(sum(x.tax) filter (where x.month = m.month), 0.00)::text,
        'withheld_last_month', coalesce(sum(x.tax) filter (where x.month < m.month), 0.00)::text
      )
      from (select app.month_of(coalesce(p_at, p_now)) as month) as m
      left join app.tax_withholdings as x on x.month between (m.month - interval '1 month')::date and m.month
        and (p_at is null or x.add_time < p_at)
      group by m.month
    ),
    'points', jsonb_build_object(
      'frozen', trim_scale(t.frozen), 'available', trim_scale(t.available), 'negative', trim_scale(t.negative),
      'members_below_zero', t.negative_members, 'release', app.forecast_of(t.releasing, t.released_members)
    )
  )
  from app.owed_totals(p_at, p_now) as t
$$;

comment on function app.liabilities_json is
  'Returns what the store owed its members at p_at (null: now): the figures of docs/glossary.md (app.owed_totals), '
  'what matures by day, the tax withheld in the month and the one before, and the forecast of the release.';

create or replace function app.require_reconciled(p_month text, p_now timestamptz)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first date := app.month_start(p_month);
  v_ends_at timestamptz := (app.month_bounds(v_first)).ends_at;
begin
  if v_ends_at <= p_now and not exists (select from app.closed_months as c where c.month = v_first) and not coalesce((
    select r.findings = 0 and r.started_at >= v_ends_at and r.finished_at > p_now - interval '7 days'
    from app.reconcile_runs as r where r.finished_at is not null order by r.id desc limit 1
  ), false) then
    perform app.fail(
      'reconciliation_needed',
      'The last reconciliation must have begun after the end of the month, at most 7 days ago, and have found nothing.'
    );
  end if;
end
$$;

comment on function app.require_reconciled is
  'Raises reconciliation_needed if a month is over and not closed, and the last reconciliation found something, began '
  'before its end, or ended more than 7 days ago.';
