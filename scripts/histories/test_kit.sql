-- What the property test adds to the database it runs on.
create schema test_kit;

-- Runs one statement as one attempt. Returns its value, or the code of the error that rolled it back.
create function test_kit.attempt(p_statement text)
returns text
language plpgsql
as $$
declare
  v_value text;
begin
  execute p_statement into v_value;
  return 'value:' || coalesce(v_value, '');
exception when others then
  return 'error:' || sqlerrm;
end
$$;

-- The settlement of the orders listed in the setting fails for every caller.
create function test_kit.fail_settlement()
returns trigger
language plpgsql
as $$
begin
  if new.order_id = any (coalesce(nullif(current_setting('test_kit.broken_orders', true), ''), '{}')::bigint[]) then
    raise exception 'settlement_is_broken';
  end if;
  return new;
end
$$;

create trigger settlements_can_be_broken before insert on app.settlements
  for each row execute function test_kit.fail_settlement();

-- The jobs as their procedures run them, without their commits: for histories that are rolled back.
create function test_kit.expire(p_now timestamptz)
returns void
language sql
as $$
  select app.expire_order(o.id, p_now) from unnest(app.expired_orders(p_now)) as o (id)
$$;

create function test_kit.receive_delivered(p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_order_id bigint;
begin
  foreach v_order_id in array app.orders_to_receive(p_now) loop
    begin
      perform app.receive_if_due(v_order_id, p_now);
    exception when others then
      null;
    end;
  end loop;
end
$$;

create function test_kit.write_due_events(p_now timestamptz)
returns void
language sql
as $$
  select app.announce_maturities(p_now, 1000), app.announce_expiries(p_now, 1000)
$$;

-- The position of a refund among those of its order.
create function test_kit.rank(p_refund_id bigint)
returns integer
language sql
as $$
  select n.rank from app.refunds as r
  cross join lateral (
    select count(*)::integer as rank from app.refunds as o where o.order_id = r.order_id and o.id <= r.id
  ) as n
  where r.id = p_refund_id
$$;

-- The forecast of app.you_would_earn for a member and a product, and what an order of a new direct member then pays. It
-- is rolled back.
create function test_kit.foretell(p_uid bigint, p_product bigint, p_now timestamptz, out foretold jsonb, out paid jsonb)
language plpgsql
as $$
declare
  v_account uuid := gen_random_uuid();
  v_order bigint;
begin
  perform set_config(
    'request.jwt.claims', (select jsonb_build_object('sub', u.auth_id)::text from app.users as u where u.uid = p_uid),
    true
  );
  foretold := app.you_would_earn(array(select p from app.products as p where p.id = p_product)) -> p_product::text;
  perform set_config('request.jwt.claims', '', true);
  begin
    insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (
      now(), v_account, jsonb_build_object('spread', p_uid)
    );
    v_order := (app.create_order(
      (select u.uid from app.users as u where u.auth_id = v_account),
      jsonb_build_array(jsonb_build_object('product_id', p_product, 'quantity', 1)), p_now
    )).id;
    perform app.pay_order(v_order, 'test', 'foretold', p_now);
    perform app.settle_order(v_order, p_now);
    select jsonb_build_object(
      'commission', coalesce(sum(l.brokerage_delta), 0.00)::text, 'points', trim_scale(coalesce(sum(l.frozen_delta), 0))
    )
    into paid
    from app.user_bill as l where l.order_id = v_order and l.uid = p_uid;
    raise exception using errcode = 'PV000', message = 'undo';
  exception when sqlstate 'PV000' then
    return;
  end;
end
$$;

-- The release as the procedure runs it, in ranges too, without its commits: for histories that are rolled back.
create function test_kit.release(p_day date, p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_today date := app.business_day(p_now);
  v_days date[] := app.days_to_release(p_day, v_today);
  v_day date;
  v_range app.release_ranges;
begin
  perform app.reject_compacted_release(p_day);
  perform app.begin_release(v_today, false, p_now) where p_day is null;
  foreach v_day in array v_days loop
    perform app.begin_release(v_day, p_day is not null, p_now);
    if not app.is_divided(v_day) then
      perform app.release_chunk(v_day, app.release_candidates(v_day, 0, 1000), p_now, app.release_until(v_day));
    end if;
    loop
      v_range := app.take_range(v_day, 0);
      exit when v_range.last_uid is null;
      perform app.release_chunk(
        v_day, app.release_candidates(v_day, v_range.after_uid, 1000, v_range.last_uid), p_now,
        app.release_until(v_day), v_range.last_uid
      );
      perform app.end_range(v_day, v_range.last_uid, 0);
    end loop;
    perform app.end_release(v_day, 0, p_now);
  end loop;
end
$$;

-- How an administrator ends a withdrawal, or its member cancels it.
create function test_kit.end_withdrawal(p_id bigint, p_state text, p_now timestamptz, p_held numeric default null)
returns void
language plpgsql
as $$
begin
  if p_state = 'cancelled' then
    perform app.cancel_withdrawal(app.lock_withdrawal(p_id), p_now);
    return;
  elsif p_state in ('paid', 'failed') then
    perform app.reject_end_by_hand(app.lock_withdrawal(p_id), p_now);
  end if;
  perform app.move_withdrawal(
    app.lock_withdrawal(p_id), p_state, p_now, case when p_state <> 'paid' then 'test' end, p_held_by_refunds => p_held
  );
end
$$;

-- A member leaves: by a deletion that they asked for a week ago, or because somebody removes the account. Returns
-- whether they did.
create function test_kit.backdate_event(p_type text, p_uid bigint, p_now timestamptz)
returns void
language plpgsql
as $$
begin
  alter table app.events disable trigger events_are_never_changed;
  update app.events as e set add_time = p_now where e.type = p_type and e.subject_id = p_uid;
  alter table app.events enable trigger events_are_never_changed;
end
$$;

create function test_kit.leave(p_uid bigint, p_is_deletion boolean, p_now timestamptz)
returns text
language plpgsql
as $$
declare
  v_has_left boolean;
begin
  if p_is_deletion then
    insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
    select u.uid, u.auth_id, p_now - interval '7 days', p_now, 0, 0, 0 from app.users as u
    where u.uid = p_uid and u.auth_id is not null;
    v_has_left := found and app.delete_account_if_due(p_uid, p_now);
    delete from app.account_deletions as d where d.uid = p_uid and d.done_at is null;
  else
    delete from auth.users as a using app.users as u where u.uid = p_uid and a.id = u.auth_id;
    v_has_left := found;
  end if;
  -- Auth has no other time than that of the clock.
  update app.users as u set left_at = p_now where u.uid = p_uid and v_has_left;
  perform test_kit.backdate_event('member.left', p_uid, p_now) where v_has_left;
  return case when v_has_left then 'left' else 'stays' end;
end
$$;

-- Histories leave jobs that wait or are dead, which the model states. A night that finds nothing else carries closed
-- months.
create function test_kit.findings()
returns jsonb
language sql
as $$
  select coalesce(jsonb_agg(to_jsonb(r)), '[]') from app.reconcile() as r
  where r.check_name not in ('job_is_not_dead', 'job_is_not_late')
$$;

create function test_kit.compacted()
returns jsonb
language sql
as $$
  select jsonb_build_object(
    'compacted', (select coalesce(jsonb_agg(to_char(c.month, 'YYYY-MM') order by c.month), '[]') from app.compacted_months as c), 'findings', test_kit.findings()
  )
$$;

-- Exchanges a month as the job does: again after an attempt whose locks, which a vacuum may hold, were not free.
create function test_kit.exchange_month(p_statement text)
returns void
language plpgsql
as $$
begin
  loop
    begin
      execute p_statement;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- Closes the months that are over, and proves them.
create function test_kit.close(p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_month date := '2025-03-01';
  v_night bigint;
  v_range app.reconcile_ranges;
begin
  while (app.month_bounds(v_month)).ends_at <= least(p_now, clock_timestamp()) loop
    perform app.close_month(to_char(v_month, 'YYYY-MM'), null);
    v_month := v_month + interval '1 month';
  end loop;
  -- Another night, in which several sessions begin one more reconciliation.
  update app.reconcile_runs as r set started_at = r.started_at - interval '1 hour';
  v_night := app.begin_reconcile(0);
  while exists (select from app.reconcile_ranges as g where g.reconcile = v_night and g.check_no is not null) loop
    v_range := app.take_checks(v_night, 0);
    while app.reconcile_range(v_range, 1000) loop end loop;
  end loop;
  perform app.gather_findings(v_night);
  loop
    update app.reconcile_runs as r set findings = 0, sample = '[]'
    where r.id = v_night and not exists (
      select from jsonb_array_elements(r.sample) as f
      where f ->> 'check_name' not in ('job_is_not_dead', 'job_is_not_late')
    );
    exit when not app.reconcile_slice(v_night, 1000);
  end loop;
end
$$;

-- Compacts what can be compacted.
create function test_kit.compact(p_now timestamptz)
returns jsonb
language plpgsql
as $$
declare
  v_month date;
begin
  perform test_kit.close(p_now);
  insert into app.month_seals (month, row_count, root, public_key, signature, sealed_at)
  select c.month, 0, sha256(''), sha256(''), sha256('') || sha256(''), p_now from app.closed_months as c
  on conflict do nothing;
  for v_month in select s.month from app.month_seals as s where app.compaction_obstacle(s.month, p_now) is null
    order by s.month loop
    perform test_kit.exchange_month(format('select app.prepare_compaction(%L, %L)', v_month, p_now));
    perform app.build_compaction(v_month), app.check_parts(v_month);
    perform test_kit.exchange_month(format('select app.exchange_compacted(%L)', v_month));
  end loop;
  return test_kit.compacted();
end
$$;

create function test_kit.expand()
returns jsonb
language plpgsql
as $$
declare
  v_month date;
begin
  for v_month in select c.month from app.compacted_months as c order by c.month loop
    perform app.build_expansion(v_month), app.check_parts(v_month);
    perform test_kit.exchange_month(format('select app.exchange_expanded(%L)', v_month));
  end loop;
  return test_kit.compacted();
end
$$;

-- The two invariants of docs/money.md for each member at a time: what opening balances, adjustments and grants gave,
-- and where it is. It is called after each action, so it is in PL/pgSQL, which keeps its plan.
create function test_kit.accounts(p_now timestamptz)
returns table (
  uid bigint, commission numeric, commission_found numeric, points numeric, points_found numeric, withdrawable numeric,
  is_debtor boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with bill as (
      select
        r.uid,
        sum(r.brokerage_delta) filter (where r.type in ('opening_balance', 'adjustment', 'brokerage')) as commission,
        -sum(r.brokerage_delta) filter (where r.type = 'brokerage_reversal') as commission_reversed,
        sum(r.frozen_delta + r.available_delta) filter (
          where r.type in ('opening_balance', 'adjustment', 'frozen_points_brokerage')
        ) as points,
        -sum(r.frozen_delta + r.available_delta) filter (where r.type = 'frozen_points_reversal') as points_reversed
      from app.bill('-infinity', 'infinity') as r group by r.uid
    )
    select
      b.uid, coalesce(l.commission, 0.00),
      w.amount + w.held + coalesce(m.amount, 0) + coalesce(o.amount, 0) + coalesce(l.commission_reversed, 0),
      coalesce(l.points, 0.0000),
      b.frozen_points + b.available_points + coalesce(s.points, 0) + coalesce(l.points_reversed, 0),
      w.amount, b.uid in (select d.uid from app.debts(p_now) as d)
    from app.user_balances as b
    left join bill as l on l.uid = b.uid
    cross join lateral (
      select c.withdrawable as amount, c.held_by_refunds as held from app.commission_parts(b.uid, p_now) as c
    ) as w
    left join lateral (select sum(m.amount_left) as amount from app.maturing(b.uid, p_now) as m) as m on true
    left join lateral (
      select sum(d.amount) as amount from app.withdrawals as d
      where d.uid = b.uid and d.state in ('requested', 'approved', 'paying', 'paid')
    ) as o on true
    left join lateral (select sum(d.points_left) as points from app.orders as d where d.uid = b.uid) as s on true
    order by b.uid;
end
$$;

-- Tables of tax that fit the small amounts of histories, with a second version of one (model/tax.ts states them a
-- second time).
create or replace function app.tax_rules()
returns table (
  method text, valid_from date, expense_share numeric, flat_expenses numeric, flat_until numeric,
  monthly_deduction numeric, brackets text, official_text text
)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  values
    ('cumulative', '2025-03-02'::date, 0.2, 0, 0, 50, 'first', ''),
      ('cumulative', '2025-03-20', 0.1, 0, 0, 70, 'later', ''),
    ('per_month', '2025-01-01', 0.2, 8, 40, 0, 'labour', ''), ('per_payment', '2025-01-01', 0.2, 8, 40, 0, 'labour', '')
$$;

create or replace function app.tax_brackets()
returns table (brackets text, valid_from date, above numeric, rate numeric, quick_deduction numeric)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  values
    ('first', '2025-01-01'::date, 0, 0.03, 0), ('first', '2025-01-01', 360, 0.1, 25.2),
      ('first', '2025-01-01', 1440, 0.2, 169.2),
    ('later', '2025-01-01', 0, 0.05, 0), ('later', '2025-01-01', 500, 0.15, 50),
    ('labour', '2025-01-01', 0, 0.2, 0), ('labour', '2025-01-01', 200, 0.3, 20), ('labour', '2025-01-01', 500, 0.4, 70)
$$;
