create sequence app.user_bill_id_seq;

create table app.user_bill (
  id bigint not null default nextval('app.user_bill_id_seq'),
  uid bigint not null references app.users (uid),
  type text not null,
  source text not null,
  brokerage_delta numeric(14,2) not null default 0,
  frozen_delta numeric(18,4) not null default 0,
  available_delta numeric(18,4) not null default 0,
  brokerage_after numeric(14,2) not null,
  frozen_after numeric(18,4) not null,
  available_after numeric(18,4) not null,
  order_id bigint references app.orders (id),
  basis numeric(18,4),
  rate numeric(18,5),
  agent_level smallint,
  passed_on numeric(18,4),
  reverses_id bigint,
  withdrawal_id bigint references app.withdrawals (id),
  adjustment_id bigint references app.adjustments (id),
  add_time timestamptz not null,
  primary key (add_time, id),
  -- R12: the list of types is closed. It has none for the public queue, a rule of the earlier system.
  constraint type_is_known check (
    type in (
      'brokerage', 'brokerage_reversal', 'frozen_points_brokerage', 'frozen_points_reversal', 'frozen_points_release', 'opening_balance',
      'withdrawal', 'withdrawal_returned', 'points_spent', 'points_returned', 'adjustment'
    )
  ),
  constraint source_is_known check (
    source in ('cycle', 'direct', 'umbrella', 'release', 'import', 'withdrawal', 'checkout', 'adjustment')
  ),
  constraint brokerage_only_adds_money check (
    type <> 'brokerage' or (brokerage_delta > 0 and frozen_delta = 0 and available_delta = 0 and source = 'cycle')
  ),
  constraint frozen_points_brokerage_only_adds_frozen_points check (
    type <> 'frozen_points_brokerage' or (brokerage_delta = 0 and frozen_delta > 0 and available_delta = 0 and source in ('cycle', 'direct', 'umbrella'))
  ),
  constraint frozen_points_release_moves_frozen_to_available check (
    type <> 'frozen_points_release'
    or (brokerage_delta = 0 and frozen_delta < 0 and available_delta = -frozen_delta and source = 'release' and order_id is null)
  ),
  constraint brokerage_reversal_only_takes_money check (
    type <> 'brokerage_reversal' or (brokerage_delta < 0 and frozen_delta = 0 and available_delta = 0)
  ),
  constraint frozen_points_reversal_only_takes_points check (
    type <> 'frozen_points_reversal'
    or (brokerage_delta = 0 and frozen_delta <= 0 and available_delta <= 0 and frozen_delta + available_delta < 0)
  ),
  constraint an_opening_balance_is_what_a_member_brought check (
    (type = 'opening_balance') = (source = 'import')
    and (type <> 'opening_balance' or (
      order_id is null and frozen_delta >= 0 and num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0
      and (brokerage_after, frozen_after, available_after) = (brokerage_delta, frozen_delta, available_delta)
    ))
  ),
  constraint a_withdrawal_moves_money_out_or_back check (
    (withdrawal_id is not null) = (source = 'withdrawal') and (type in ('withdrawal', 'withdrawal_returned')) = (source = 'withdrawal')
    and (source <> 'withdrawal' or (
      case type when 'withdrawal' then brokerage_delta < 0 else brokerage_delta > 0 end
      and frozen_delta = 0 and available_delta = 0 and order_id is null
    ))
  ),
  constraint points_pay_part_of_an_order_or_return check (
    (type in ('points_spent', 'points_returned')) = (source = 'checkout')
    and (source <> 'checkout' or (
      case type when 'points_spent' then available_delta < 0 else available_delta > 0 end and brokerage_delta = 0 and frozen_delta = 0
    ))
  ),
  constraint an_adjustment_names_its_record check (
    (adjustment_id is not null) = (source = 'adjustment') and (type = 'adjustment') = (source = 'adjustment')
    and (source <> 'adjustment' or (
      order_id is null and num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0
    ))
  ),
  constraint a_reversal_names_what_it_reverses check ((reverses_id is not null) = (type in ('brokerage_reversal', 'frozen_points_reversal'))),
  constraint what_an_order_earned_names_the_order check (
    source in ('release', 'import', 'withdrawal', 'adjustment') or order_id is not null
  ),
  constraint a_grant_states_basis_and_rate check (
    type not in ('brokerage', 'frozen_points_brokerage', 'frozen_points_release') or (basis is not null and rate is not null)
  )
) partition by range (add_time);

alter sequence app.user_bill_id_seq owned by app.user_bill.id;
comment on table app.user_bill is
  'Append-only ledger, partitioned by month. A row holds the changes of the three balances of a member by one event, and the '
  'balances after it.';
comment on column app.user_bill.basis is 'A grant is round_down(basis x rate).';
comment on column app.user_bill.passed_on is 'R7: the highest umbrella points for each unit of the levels between the member and the buyer.';
comment on column app.user_bill.reverses_id is 'The bill row that this row reverses, in whole or in part.';
comment on column app.user_bill.withdrawal_id is 'The withdrawal that took the money or gave it back.';
comment on column app.user_bill.adjustment_id is 'The adjustment that changed the balances.';

-- Takes rows of a month without a partition. app.ensure_month_partitions creates partitions ahead of time.
create table app.user_bill_default partition of app.user_bill default;

create index user_bill_uid_idx on app.user_bill (uid, add_time, id);
create index user_bill_order_id_idx on app.user_bill (order_id) where order_id is not null;
create index user_bill_withdrawal_id_idx on app.user_bill (withdrawal_id) where withdrawal_id is not null;
create index user_bill_adjustment_id_idx on app.user_bill (adjustment_id) where adjustment_id is not null;
-- For app.debts.
create index user_bill_debts_brought_idx on app.user_bill (uid) where type = 'opening_balance' and brokerage_delta < 0;
-- For app.overview_days, which needs the rows of orders. Most rows are releases.
create index user_bill_earned_idx on app.user_bill (add_time) where order_id is not null;

alter table app.user_bill enable row level security;
alter table app.user_bill_default enable row level security;
grant select on app.user_bill to authenticated, store_admin, service_role;
