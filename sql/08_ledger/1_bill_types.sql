-- The types of bill rows (R12), each one row. Loading sql/ writes the constraints on type and source of app.user_bill and
-- the functions below from it, `npm run gen` the words of clients and the table of docs/glossary.md. Nothing reads the rows
-- at run time.

create or replace function app.declared_bill_types()
returns table (
  type text, sources text[], is_money boolean, is_earned boolean, reversal text, gives_back boolean,
  counter_account text, title text, title_zh text, meaning text
)
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  values
    ('brokerage', '{cycle}'::text[], true, true, 'brokerage_reversal', false, 'commission_expense',
      'Commission', '佣金', 'commission for an order'),
    ('brokerage_reversal', '{cycle}', true, true, null, false, 'commission_expense',
      'Commission reversed', '佣金冲回', 'a refund takes commission back'),
    ('frozen_points_brokerage', '{cycle, direct, umbrella}', false, true, 'frozen_points_reversal', false,
      'promotion_expense',
      'Points granted', '积分发放', 'frozen points for an order: commission points, direct points, umbrella points'),
    ('frozen_points_reversal', '{cycle, direct, umbrella}', false, true, null, false, 'promotion_expense',
      'Points reversed', '积分冲回', 'a refund takes points back, frozen points first'),
    ('frozen_points_release', '{release}', false, true, null, false, null,
      'Points released', '积分释放', 'the daily release makes frozen points available'),
    ('opening_balance', '{import}', false, true, null, false, 'opening_balances',
      'Opening balance', '期初余额', 'what a member brought from the previous system'),
    ('withdrawal', '{withdrawal}', true, false, null, false, 'payouts_in_transit',
      'Withdrawal', '提现', 'commission leaves with the request'),
    ('withdrawal_returned', '{withdrawal}', true, false, null, true, 'payouts_in_transit',
      'Withdrawal returned', '提现退回', 'the request was refused or cancelled, or failed'),
    ('points_spent', '{checkout}', false, false, null, false, 'redeemed_points',
      'Points spent', '积分抵扣', 'available points pay at checkout'),
    ('points_returned', '{checkout}', false, false, null, true, 'redeemed_points',
      'Points returned', '抵扣退回', 'the order was cancelled, has expired or was refunded'),
    ('adjustment', '{adjustment}', false, false, null, false, 'adjustments',
      'Adjustment', '调账', 'an administrator corrects the balances')
$$;

comment on function app.declared_bill_types is
  'Returns the types of bill rows (R12). reversal is the type with which a refund reverses them, counter_account the '
  'account on the other side of the journal. For the flags, see the functions of their names.';

-- The functions have no set clause, so that the planner can inline them.
do $generate$
begin
  if exists (
    select from app.declared_bill_types() as d
    where d.is_earned and d.reversal is null and d.sources && '{cycle, direct, umbrella}'
      and d.type not in (select r.reversal from app.declared_bill_types() as r where r.reversal is not null)
  ) then
    raise exception 'A type of income from orders has no type that reverses it.';
  end if;
  execute (
    select string_agg(
      format(
        'create or replace function app.%s(p_type text) returns %s language sql immutable parallel safe as %L',
        f.name, f.result, format(E'\n  select %s\n', f.body)
      ),
      ';' order by f.name
    )
    from (
      select n.name, 'boolean', format('p_type in (%s)', string_agg(quote_literal(d.type), ', ' order by d.ordinality))
      from app.declared_bill_types() with ordinality as d
      cross join lateral (
        values ('is_money', d.is_money), ('is_earned', d.is_earned), ('gives_back', d.gives_back)
      ) as n (name, holds)
      where n.holds
      group by n.name
      union all
      select n.name, 'text', format(
        'case p_type %s end', string_agg(format('when %L then %L', d.type, n.value), ' ' order by d.ordinality)
      )
      from app.declared_bill_types() with ordinality as d
      cross join lateral (values ('reversal_of', d.reversal), ('journal_counter', d.counter_account)) as n (name, value)
      where n.value is not null
      group by n.name
    ) as f (name, result, body)
  );
end
$generate$;

comment on function app.is_money is 'Returns whether bill rows of a type move commission and no points.';

comment on function app.is_earned is
  'Returns whether bill rows of a type count towards total_brokerage and total_points_earned.';

grant execute on function app.is_earned(text) to store_admin;

comment on function app.gives_back is
  'Returns whether bill rows of a type give back what a member had. A member who has left gives that up '
  '(app.forfeit_returned).';

comment on function app.reversal_of is
  'Returns the type of the bill rows with which a refund reverses a grant of a type, or null.';

comment on function app.journal_counter is
  'Returns the account on the other side of a bill row of a type; null for a release (decision 0123).';

grant execute on function app.journal_counter(text) to store_admin;
