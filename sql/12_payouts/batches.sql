-- Who may pay withdrawals, and batches of them for a bank.

-- With one administrator there is nobody else: the configuration check warns about that.
create or replace function app.needs_another_payer(p_withdrawal app.withdrawals, p_by uuid)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select (coalesce(p_withdrawal.approved_by = p_by, false) or app.is_key() and p_withdrawal.state = 'approved')
    and app.other_administrator('money', p_withdrawal.approved_by, p_withdrawal.uid)
$$;

comment on function app.needs_another_payer is
  'Returns whether somebody other than the caller p_by must pay a withdrawal: p_by approved it, or is a machine key '
  'and it is in no batch yet, and another administrator could pay it.';

create or replace function app.reject_own_approval(p_ids bigint[], p_by uuid)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (
    select from app.withdrawals as w
    where w.id = any (p_ids) and w.ended_at is null and app.needs_another_payer(w, p_by)
  ) then
    perform app.reject_key_as_second();
    perform app.fail(
      'second_administrator_needed',
      'You approved this withdrawal. Another administrator with the role owner or finance must pay it.'
    );
  end if;
end
$$;

comment on function app.reject_own_approval is
  'Raises second_administrator_needed if somebody other than the caller p_by must pay one of these open withdrawals '
  '(app.needs_another_payer).';

create or replace function app.fits_batch(p_withdrawal app.withdrawals, p_method text, p_except_uid bigint, p_by uuid)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_withdrawal.method = p_method and p_withdrawal.account_id is not null
    and p_withdrawal.uid is distinct from p_except_uid and not app.needs_another_payer(p_withdrawal, p_by)
$$;

comment on function app.fits_batch is
  'Returns whether p_by can put an approved withdrawal into a batch of a method: its account was not deleted, it is '
  'not of p_except_uid, their own member, and nobody else must pay it (app.needs_another_payer).';

create or replace function app.most_in_batch()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 10000
$$;

comment on function app.most_in_batch is 'Returns how many withdrawals a batch takes at most, the oldest first.';

create or replace function app.check_batch_method(p_method text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_method, '') not in ('bank', 'alipay') then
    perform app.fail('invalid_argument', 'A batch is for a bank or for Alipay.', '/method');
  end if;
end
$$;

comment on function app.check_batch_method is 'Raises invalid_argument unless batches are made for this method.';

-- Locks: the withdrawals, by id, then the balances of their members. A concurrent call waits for those and finds them
-- paying.
-- Not idempotent: each call makes a batch. A withdrawal is in at most one.
create or replace function app.create_withdrawal_batch(
  p_method text, p_ids bigint[], p_except_uid bigint, p_created_by uuid, p_now timestamptz,
  p_held_by_refunds numeric default null,
  p_leaves_out_held boolean default false
)
returns app.withdrawal_batches
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_now timestamptz;
  v_is_taxed boolean;
  v_taxes numeric[];
  v_batch app.withdrawal_batches;
begin
  perform app.check_batch_method(p_method);
  select array_agg(l.id order by l.id) into v_ids
  from (
    select w.id from app.withdrawals as w
    where w.state = 'approved' and (p_ids is null or w.id = any (p_ids))
      and app.fits_batch(w, p_method, p_except_uid, p_created_by)
    order by w.id
    limit app.most_in_batch()
    for update
  ) as l;
  if v_ids is null or cardinality(v_ids) < cardinality(p_ids) then
    perform app.reject_own_approval(
      array(
        select w.id from app.withdrawals as w
        where w.state = 'approved' and w.method = p_method and (p_ids is null or w.id = any (p_ids)) order by w.id
      ),
      p_created_by
    );
    perform app.fail(
      'withdrawal_state_conflict', 'A batch takes only approved withdrawals of its method, and at least one.'
    );
  end if;
  perform app.lock_balances(array(select w.uid from app.withdrawals as w where w.id = any (v_ids) order by w.uid));
  v_now := app.effect_time(p_now);
  if p_leaves_out_held then
    v_ids := array(
      select l.id from unnest(v_ids) as l (id)
      where l.id not in (select h.id from app.held_withdrawals(v_ids, v_now) as h) order by l.id
    );
    if cardinality(v_ids) = 0 then
      perform app.fail('withdrawal_state_conflict', 'Refund requests hold all of these withdrawals.');
    end if;
  end if;
  perform app.reject_holds(v_ids, p_held_by_refunds, v_now);
  v_is_taxed := app.tax_method(v_now) is not null;
  -- A volatile function is called after the rows are sorted: by id, the order in which these become paying.
  v_taxes := array(
    select case when v_is_taxed then app.withhold_tax(w, v_now) else 0 end from app.withdrawals as w
    where w.id = any (v_ids) order by w.id
  );
  -- Row order: one row.
  insert into app.withdrawal_batches (method, withdrawals, amount, created_by, add_time)
  select p_method, count(*), sum(w.amount - w.fee - t.tax), p_created_by, v_now
  from unnest(v_ids, v_taxes) as t (id, tax) join app.withdrawals as w on w.id = t.id
  returning * into v_batch;
  update app.withdrawals as w
  set state = 'paying', paying_at = v_now, batch_id = v_batch.id, tax = t.tax
  from unnest(v_ids, v_taxes) as t (id, tax) where w.id = t.id;
  return v_batch;
end
$$;

comment on function app.create_withdrawal_batch is
  'Puts approved withdrawals of a method into a batch, which makes them paying and fixes their tax, and returns it. '
  'p_ids null takes all that fit (app.fits_batch), at most the 10,000 oldest. p_held_by_refunds accepts what open '
  'refund requests hold of them (app.reject_holds); p_leaves_out_held leaves those as they are.';

-- Locks: the withdrawals, by id.
-- Idempotent: withdrawals that have ended stay as they are.
create or replace function app.end_withdrawal_batch(
  p_batch_id bigint, p_except_uid bigint, p_payment_ref text, p_by uuid, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_events app.event[];
  v_now timestamptz;
begin
  perform app.check_payment_ref(p_payment_ref);
  perform from app.withdrawals as w where w.batch_id = p_batch_id order by w.id for update;
  perform app.reject_own_approval(
    array(
      select w.id from app.withdrawals as w where w.batch_id = p_batch_id and w.uid is distinct from p_except_uid
      order by w.id
    ),
    p_by
  );
  v_now := app.effect_time(p_now);
  with paid as (
    update app.withdrawals as w set state = 'paid', payment_ref = p_payment_ref, ended_at = v_now
    where w.batch_id = p_batch_id and w.state = 'paying' and w.uid is distinct from p_except_uid
    returning w.*
  )
  select array_agg(app.withdrawal_event(p::app.withdrawals) order by p.id) into v_events from paid as p;
  perform app.write_events(v_events, v_now);
end
$$;

comment on function app.end_withdrawal_batch is
  'Marks the withdrawals of a batch that have not ended as paid, except those of p_except_uid, the administrator''s '
  'own member.';

create or replace function app.preview_withdrawal_batch(
  p_method text, p_except_uid bigint, p_by uuid, p_now timestamptz
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
begin
  perform app.check_batch_method(p_method);
  v_ids := array(
    select w.id from app.withdrawals as w where w.state = 'approved' and app.fits_batch(w, p_method, p_except_uid, p_by)
    order by w.id limit app.most_in_batch()
  );
  return (
    select jsonb_build_object(
      'method', p_method, 'withdrawals', cardinality(v_ids), 'held', count(*), 'held_by_refunds', sum(h.amount)::text
    )
    from app.held_withdrawals(v_ids, p_now) as h
  );
end
$$;

comment on function app.preview_withdrawal_batch is
  'Returns what app.create_withdrawal_batch would take of a method: {method, withdrawals, held, held_by_refunds}. held '
  'counts those of which open refund requests hold something, held_by_refunds is how much, null if nothing.';

create or replace function app.require_withdrawal_batch(p_id bigint)
returns app.withdrawal_batches
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_batch app.withdrawal_batches;
begin
  select b.* into v_batch from app.withdrawal_batches as b where b.id = p_id;
  if not found then
    perform app.fail('withdrawal_not_found', 'There is no such batch.');
  end if;
  return v_batch;
end
$$;

comment on function app.require_withdrawal_batch is 'Returns a batch, or raises withdrawal_not_found.';

create or replace function app.withdrawal_batch_json(p_batch app.withdrawal_batches)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_batch.id, 'batch_no', p_batch.batch_no, 'method', p_batch.method, 'withdrawals', p_batch.withdrawals,
    'amount', p_batch.amount::text,
    'created_by', app.actor_json(p_batch.created_by), 'add_time', app.utc(p_batch.add_time)
  ) || (
    select jsonb_build_object(
      'tax', sum(w.tax)::text, 'paying', count(*) filter (where w.state = 'paying'), 'paid',
      count(*) filter (where w.state = 'paid'),
      'failed', count(*) filter (where w.state = 'failed')
    )
    from app.withdrawals as w where w.batch_id = p_batch.id
  )
$$;

comment on function app.withdrawal_batch_json is
  'Returns a batch in the format of the API, with the tax and the number of its withdrawals in each state.';

grant execute on function app.withdrawal_batch_json(app.withdrawal_batches) to store_admin;
