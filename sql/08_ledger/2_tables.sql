-- The bill, adjustments, the commission that matures, and what is carried and closed of it by month.

create table app.commission_maturities (
  order_id bigint primary key,
  uid bigint not null references app.users (uid),
  amount_left numeric(14,2) not null,
  matures_at timestamptz,
  is_announced boolean not null default false,
  constraint amount_left_is_not_negative check (amount_left >= 0)
);
comment on table app.commission_maturities is
  'When the commission of each order matures, so that the earner can withdraw it. Commission without a row has '
  'matured.';
comment on column app.commission_maturities.amount_left is 'The commission less what refunds took back.';
comment on column app.commission_maturities.matures_at is
  'Null until the receipt of the order is confirmed (app.matures_at).';
comment on column app.commission_maturities.is_announced is
  'Whether app.announce_maturities has seen that it has matured.';

-- For app.maturing.
create index commission_maturities_uid_idx on app.commission_maturities (uid, matures_at);
-- For app.announce_maturities.
create index commission_maturities_to_announce_idx on app.commission_maturities (matures_at, order_id)
  where matures_at is not null and not is_announced;

alter table app.commission_maturities enable row level security;
grant select on app.commission_maturities to authenticated, store_admin, service_role;

create table app.carried_balances (
  uid bigint primary key references app.users (uid),
  carried_until timestamptz not null,
  brokerage numeric(14,2) not null,
  frozen numeric(18,4) not null,
  available numeric(18,4) not null,
  commission numeric(14,2) not null,
  points numeric(18,4) not null,
  constraint it_has_an_end check (isfinite(carried_until))
);
comment on table app.carried_balances is
  'The sums of the bill rows of each member in closed months that the nightly reconciliation has proved. '
  'app.reconcile() does not read them.';
comment on column app.carried_balances.carried_until is
  'The end of the months that the sums include; earlier for a member without bill rows since.';
comment on column app.carried_balances.commission is
  'What the rows added to total_brokerage; points, to total_points_earned.';

alter table app.carried_balances enable row level security;
create policy admins_read_carried_balances on app.carried_balances for select to store_admin, service_role using (true);
grant select on app.carried_balances to store_admin, service_role;

create table app.closed_months (
  month date primary key,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  sums jsonb not null,
  closed_at timestamptz not null,
  closed_by uuid,
  constraint month_is_its_first_day check (extract(day from month) = 1),
  constraint it_was_over check (begins_at < ends_at and ends_at <= closed_at),
  constraint sums_is_an_array check (jsonb_typeof(sums) = 'array')
);
comment on table app.closed_months is 'Append-only. Months into which no bill row can be dated (app.forbid_late_rows).';
comment on column app.closed_months.begins_at is
  'By the time zone that the store had when the month was closed, as ends_at.';
comment on column app.closed_months.sums is 'The sums of the bill rows for each type and source (app.bill_sums).';
comment on column app.closed_months.closed_by is 'The administrator; null: the owner of the database.';

alter table app.closed_months enable row level security;
create policy admins_read_closed_months on app.closed_months for select to store_admin, service_role using (true);
grant select on app.closed_months to store_admin, service_role;

create table app.month_seals (
  month date primary key references app.closed_months (month),
  row_count bigint not null,
  root bytea not null,
  previous bytea,
  public_key bytea not null,
  signature bytea not null,
  former_signature bytea,
  sealed_at timestamptz not null,
  constraint row_count_is_not_negative check (row_count >= 0),
  constraint hashes_and_keys_have_32_bytes check (
    octet_length(root) = 32 and octet_length(previous) = 32 and octet_length(public_key) = 32
  ),
  constraint signatures_have_64_bytes check (octet_length(signature) = 64 and octet_length(former_signature) = 64)
);
comment on table app.month_seals is 'Append-only. The seals of closed months (docs/seals.md), all of it published.';
comment on column app.month_seals.root is 'The root of the hash tree over the rows of the month (app.tree_of_month).';
comment on column app.month_seals.previous is 'The root of the month before; null for the first month that was sealed.';
comment on column app.month_seals.public_key is 'The Ed25519 key that verifies the signature.';
comment on column app.month_seals.former_signature is
  'The signature by the key of the month before, which vouches for a new key; null if the key is the same, or the '
  'former one is lost.';

alter table app.month_seals enable row level security;
create policy everyone_reads_seals on app.month_seals for select to authenticated, store_admin, service_role
  using (true);
grant select on app.month_seals to authenticated, store_admin, service_role;

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
  order_id bigint,
  basis numeric(18,4),
  rate numeric(18,5),
  agent_level smallint,
  passed_on numeric(18,4),
  reverses_id bigint,
  withdrawal_id bigint,
  adjustment_id bigint,
  add_time timestamptz not null,
  primary key (add_time, id),
  constraint brokerage_only_adds_money check (
    type <> 'brokerage' or (brokerage_delta > 0 and frozen_delta = 0 and available_delta = 0 and source = 'cycle')
  ),
  constraint frozen_points_brokerage_only_adds_frozen_points check (
    type <> 'frozen_points_brokerage'
    or (brokerage_delta = 0 and frozen_delta > 0 and available_delta = 0 and source in ('cycle', 'direct', 'umbrella'))
  ),
  constraint frozen_points_release_moves_frozen_to_available check (
    type <> 'frozen_points_release'
    or (
      brokerage_delta = 0 and frozen_delta < 0 and available_delta = -frozen_delta and source = 'release'
      and order_id is null
    )
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
      order_id is null and frozen_delta >= 0
      and num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0
      and (brokerage_after, frozen_after, available_after) = (brokerage_delta, frozen_delta, available_delta)
    ))
  ),
  constraint a_withdrawal_moves_money_out_or_back check (
    (withdrawal_id is not null) = (source = 'withdrawal')
      and (type in ('withdrawal', 'withdrawal_returned')) = (source = 'withdrawal')
    and (source <> 'withdrawal' or (
      case type when 'withdrawal' then brokerage_delta < 0 else brokerage_delta > 0 end
      and frozen_delta = 0 and available_delta = 0 and order_id is null
    ))
  ),
  constraint points_pay_part_of_an_order_or_return check (
    (type in ('points_spent', 'points_returned')) = (source = 'checkout')
    and (source <> 'checkout' or (
      case type when 'points_spent' then available_delta < 0 else available_delta > 0 end and brokerage_delta = 0
        and frozen_delta = 0
    ))
  ),
  constraint an_adjustment_names_its_record check (
    (adjustment_id is not null) = (source = 'adjustment') and (type = 'adjustment') = (source = 'adjustment')
    and (source <> 'adjustment' or (
      order_id is null
      and num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0
    ))
  ),
  constraint a_reversal_names_what_it_reverses check (
    (reverses_id is not null) = (type in ('brokerage_reversal', 'frozen_points_reversal'))
  ),
  constraint what_an_order_earned_names_the_order check (
    source in ('release', 'import', 'withdrawal', 'adjustment') or order_id is not null
  ),
  constraint a_grant_states_basis_and_rate check (
    type not in ('brokerage', 'frozen_points_brokerage', 'frozen_points_release')
    or (basis is not null and rate is not null)
  )
) partition by range (add_time);

-- R12: the list of types is closed. It has none for the public queue, a rule of the earlier system.
do $generate$
declare
  v_rule constant text := 'alter table app.user_bill add constraint %I check (%I in (%s))';
begin
  execute format(v_rule, 'type_is_known', 'type', (
    select string_agg(quote_literal(d.type), ', ' order by d.ordinality)
    from app.declared_bill_types() with ordinality as d
  ));
  execute format(v_rule, 'source_is_known', 'source', (
    select string_agg(quote_literal(f.source), ', ' order by f.place)
    from (
      select s.source, min(d.ordinality * 10 + s.ordinality)
      from app.declared_bill_types() with ordinality as d
      cross join lateral unnest(d.sources) with ordinality as s (source)
      group by s.source
    ) as f (source, place)
  ));
end
$generate$;

alter sequence app.user_bill_id_seq owned by app.user_bill.id;
comment on table app.user_bill is
  'Append-only ledger, partitioned by month: the changes of the three balances of a member by one event, and the '
  'balances after it.';
comment on column app.user_bill.basis is 'A grant is round_down(basis x rate).';
comment on column app.user_bill.passed_on is
  'R7: the highest umbrella points per unit of the levels between the member and the buyer.';
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
-- For app.overview_days and api.get_bill_rows, which need the rows that are not releases, as most are.
create index user_bill_without_releases_idx on app.user_bill (add_time, id) where source <> 'release';
-- For app.bill_row. Rows are appended with growing ids, so a short summary of each stretch finds a row by its id and
-- costs a settlement next to nothing.
create index user_bill_id_idx on app.user_bill using brin (id) with (autosummarize = on);

alter table app.user_bill enable row level security;
alter table app.user_bill_default enable row level security;
grant select on app.user_bill to authenticated, store_admin, service_role;

create table app.adjustments (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  brokerage_delta numeric(14,2) not null default 0,
  frozen_delta numeric(18,4) not null default 0,
  available_delta numeric(18,4) not null default 0,
  reason text not null,
  state text not null,
  created_by uuid,
  add_time timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  kind text not null default 'correction',
  constraint something_is_adjusted check (
    num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0
  ),
  constraint reason_is_a_short_text check (
    app.is_visible(reason) and char_length(reason) between 1 and 500 and app.is_text(reason)
  ),
  constraint state_is_known check (state in ('waiting', 'booked', 'refused')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'waiting')),
  constraint kind_is_known check (kind in ('correction', 'forfeit', 'payout')),
  constraint a_payout_only_takes check (
    kind <> 'payout' or greatest(brokerage_delta, frozen_delta, available_delta) <= 0
  )
);
comment on table app.adjustments is
  'Corrections of balances by administrators, and what members who left give up. Above a limit, a second administrator '
  'must approve a correction.';
comment on column app.adjustments.decided_by is
  'The administrator who approved or refused it; below the limit, the one who made it. Null: the owner of the '
  'database.';

comment on column app.adjustments.kind is
  'correction. forfeit: a member who left gave it up, or two administrators declared so; above zero, a refund took it '
  'back (app.reversals). payout: what a member who left was owed was paid outside the store.';

create index adjustments_uid_idx on app.adjustments (uid, id);
create index adjustments_waiting_idx on app.adjustments (id) where state = 'waiting';

alter table app.adjustments enable row level security;
grant select on app.adjustments to store_admin, service_role;

alter table app.user_bill add constraint user_bill_adjustment_id_fkey foreign key (adjustment_id)
  references app.adjustments (id);

-- Rows of these tables are never changed (see app.reject_change).
create trigger bill_rows_are_never_changed before update or delete on app.user_bill
  for each row execute function app.reject_change();
create trigger the_bill_is_never_emptied before truncate on app.user_bill
  for each statement execute function app.reject_change();
-- A trigger for statements is not inherited by partitions: each has its own (see create_month_partition).
create trigger the_default_part_of_the_bill_is_never_emptied before truncate on app.user_bill_default
  for each statement execute function app.reject_change();
create trigger closed_months_are_never_changed before update or delete on app.closed_months
  for each row execute function app.reject_change();
create trigger closed_months_are_never_emptied before truncate on app.closed_months
  for each statement execute function app.reject_change();
create trigger seals_are_never_changed before update or delete on app.month_seals
  for each row execute function app.reject_change();
create trigger seals_are_never_emptied before truncate on app.month_seals
  for each statement execute function app.reject_change();

-- Row-level security: members read their own rows, administrators read all rows.
create policy members_read_their_bill on app.user_bill for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_bills on app.user_bill for select to store_admin, service_role using (true);

create policy earners_read_their_maturities on app.commission_maturities for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_maturities on app.commission_maturities for select to store_admin, service_role
  using (true);

create policy admins_read_adjustments on app.adjustments for select to store_admin, service_role using (true);
