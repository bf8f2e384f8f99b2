-- Everything that the model knows, by the ids of the database.
select jsonb_build_object(
  'members', (
    select jsonb_agg(jsonb_build_object(
      'referrer', u.spread_uid, 'hasLeft', u.left_at is not null, 'level', u.agent_level, 'isHeld', u.is_held, 'noAssess', u.no_assess,
      'brokerage', b.brokerage_price::text, 'frozen', b.frozen_points::text, 'available', b.available_points::text,
      'totalEarned', b.total_points_earned::text, 'totalBrokerage', b.total_brokerage::text, 'totalPlaces', b.total_places,
      'cycleNo', b.cycle_no, 'cyclePlan', b.cycle_plan_version, 'cycleIsOpen', b.cycle_is_open, 'ownOrders', b.own_orders,
      'counters', case when u.agent_level < app.top_grade() then jsonb_build_object(
        'direct_orders', b.direct_orders, 'umbrella_orders', b.umbrella_orders,
        'direct_members', b.direct_members, 'umbrella_members', b.umbrella_members
      ) end,
      'team', (
        select jsonb_build_array(
          coalesce(max(t.direct_members), 0), coalesce(max(t.direct_orders), 0), coalesce(max(t.umbrella_members), 0),
          coalesce(max(t.umbrella_orders), 0)
        )
        from app.team_totals t where t.uid = u.uid
      ),
      'bill', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', r.id, 'type', r.type, 'source', r.source,
          'brokerage', r.brokerage_delta::text, 'frozen', r.frozen_delta::text, 'available', r.available_delta::text,
          'brokerageAfter', r.brokerage_after::text, 'frozenAfter', r.frozen_after::text, 'availableAfter', r.available_after::text,
          'order', r.order_id, 'basis', r.basis::text, 'rate', r.rate::text, 'level', r.agent_level,
          'passedOn', r.passed_on::text, 'reverses', r.reverses_id,
          'commissionSince', app.commission_since(r.uid, r.add_time)::text
        ) order by r.id), '[]')
        from app.bill('-infinity', 'infinity') r where r.uid = u.uid
      ),
      'levelChanges', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('from', c.from_level, 'to', c.to_level, 'order', c.order_id, 'cause', c.cause)
            order by c.id
          ),
          '[]'
        )
        from app.level_changes c where c.uid = u.uid
      ),
      'releases', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'day', l.release_date, 'before', l.frozen_before::text, 'released', l.release_points::text, 'after', l.frozen_after::text
        ) order by l.id), '[]')
        from app.releases('-infinity', 'infinity') l where l.uid = u.uid
      )
    ) order by u.uid)
    from app.users u join app.user_balances b using (uid)
  ),
  'orders', (
    select jsonb_agg(jsonb_build_object(
      'state', o.state, 'attempts', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('provider', a.provider, 'state', a.state, 'endedAt', app.utc(a.ended_at)) order by a.id
          ),
          '[]'
        )
        from app.payment_attempts a where a.order_id = o.id
      ),
      'referrer', o.referrer_uid, 'refundStatus', o.refund_status,
      'lines', (select jsonb_agg(jsonb_build_array(n.paid::text, n.paid_by_points::text, n.points::text) order by n.id) from app.order_lines n where n.order_id = o.id),
      'pointsLeft', o.points_left::text, 'queueBase', o.queue_base::text, 'queueUnits', o.queue_units, 'plan', o.plan_version,
      'settlement', case when s.order_id is not null then jsonb_build_object(
        'state', s.state, 'base', s.base::text, 'units', s.units, 'reason', s.reason, 'earner', s.earner_uid,
        'cycleNo', s.cycle_no, 'place', s.place, 'placeIsFreed', s.place_freed_at is not null, 'cyclePlan', s.cycle_plan_version,
        'ratio', s.ratio::text, 'rate', s.rate::text, 'commission', s.commission::text, 'commissionPoints', s.commission_points::text,
        'maturity', (
          select jsonb_build_object(
            'left', m.amount_left::text, 'at', to_char(m.matures_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
          from app.commission_maturities m where m.order_id = o.id
        )
      ) end,
      'refunds', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'state', f.state, 'ref', f.refund_ref, 'amount', f.amount::text, 'freight', f.freight::text, 'points', f.points::text, 'lines', (
            select coalesce(jsonb_agg(jsonb_build_array(
              (select count(*) from app.order_lines n where n.order_id = o.id and n.id <= r.line_id), r.quantity,
              r.asked, r.concession::text
            ) order by r.line_id), '[]')
            from app.refund_lines r where r.refund_id = f.id
          )
        ) order by f.id), '[]')
        from app.refunds f where f.order_id = o.id
      ),
      'job', case when j.order_id is not null then jsonb_build_object(
        'attempts', j.attempts, 'isDead', j.state = 'dead', 'runAfter', case when j.state = 'waiting' then
          to_char(j.run_after at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end
      ) end
    ) order by o.id)
    from app.orders o
    left join app.settlements s on s.order_id = o.id
    left join app.settlement_jobs j on j.order_id = o.id
  ),
  'releaseDays', (
    select jsonb_agg(jsonb_build_object(
      'day', release_date, 'users', users, 'points', points::text, 'isFinished', finished_at is not null
    ) order by release_date)
    from app.release_runs
  ),
  'withdrawals', (
    select jsonb_agg(jsonb_build_object(
      'member', w.uid, 'amount', w.amount::text, 'fee', w.fee::text, 'tax', w.tax::text, 'method', w.method, 'state', w.state, 'isInBatch', w.batch_id is not null,
      'transfer', case when t.withdrawal_id is not null then jsonb_build_object(
        'isNamed', t.payee_name is not null, 'firstAskedAt', app.utc(t.first_asked_at), 'askedAt', app.utc(t.asked_at), 'isCancelled', t.cancel_at is not null,
        'state', w.transfer_state, 'hasCall', exists (select from app.outbox o where o.kind = 'transfer' and o.key = w.withdrawal_no)
      ) end
    ) order by w.id)
    from app.withdrawals w
    left join app.transfers t on t.withdrawal_id = w.id
  ),
  'withholdings', (
    select jsonb_agg(jsonb_build_object(
      'withdrawal', x.withdrawal_id, 'member', x.uid, 'method', x.method, 'month', to_char(x.month, 'YYYY-MM'), 'months', x.months, 'income', x.income::text,
      'taxable', trim_scale(x.taxable)::text, 'tax', x.tax::text, 'isReversed', exists (select from app.tax_withholdings r where r.reverses_id = x.id)
    ) order by x.id)
    from app.tax_withholdings x where x.reverses_id is null
  ),
  'adjustments', (
    select jsonb_agg(jsonb_build_object(
      'member', a.uid, 'brokerage', a.brokerage_delta::text, 'frozen', a.frozen_delta::text, 'available', a.available_delta::text, 'state', a.state,
      'createdBy', (select u.uid from app.users u where u.auth_id = a.created_by), 'decidedBy', (select u.uid from app.users u where u.auth_id = a.decided_by)
    ) order by a.id)
    from app.adjustments a
  ),
  'stock', (select jsonb_agg(p.stock order by p.id) from app.products p),
  -- Histories leave jobs that wait or are dead, which the model states; reconcile() counts their age by the clock.
  'findings', (
    select jsonb_agg(to_jsonb(finding))
    from (select * from app.reconcile() union all select * from app.reconcile_decisions(null)) as finding
    where finding.check_name not in ('job_is_not_dead', 'job_is_not_late')
  )
) as snapshot
