-- Imported members, products, bills and opening balances are written.

-- Locks: see app.end_import.
-- Idempotent: without an unfinished import it does nothing.
create or replace function app.finish_import(p_now timestamptz)
returns setof app.imports
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select i.* from app.end_import(false, p_now) as i
$$;

comment on function app.finish_import is 'Marks the import as finished and returns it; members rise (app.end_import).';

-- The account's own member, whom the sign-up has created, is deleted, with a real name and choices of notices. A member
-- in use is never replaced, because two members are never merged.
-- Locks: the imported member, the account if its password is unproved, the advisory lock team_totals if the account's
-- own member is in the team totals.
-- Idempotent: a member who is claimed is not claimed again.
create or replace function app.give_imported_member(p_uid bigint, p_auth_id uuid, p_claimed_by text, p_phone text)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_own bigint := (select u.uid from app.users as u where u.auth_id = p_auth_id);
  v_was_unproved boolean;
begin
  if app.use_of_member(v_own) is not null then
    return false;
  end if;
  update app.imported_members set claimed_at = clock_timestamp(), claimed_by = p_claimed_by
  where uid = p_uid and claimed_at is null;
  if not found then
    return false;
  end if;
  v_was_unproved := app.forget_unproved_password(p_auth_id);
  if v_own is not null then
    if exists (select from app.team_totals as t where t.uid = v_own) then
      perform pg_advisory_xact_lock(app.lock_number('team_totals'));
      perform app.detach_team(v_own);
      delete from app.team_totals where uid = v_own;
    end if;
    if v_was_unproved then
      -- Somebody else may have entered them, to be paid what the member withdraws.
      delete from app.addresses where uid = v_own;
      delete from app.payout_accounts where uid = v_own;
    else
      update app.addresses set uid = p_uid where uid = v_own;
      update app.payout_accounts set uid = p_uid where uid = v_own;
    end if;
    -- Of a kind, one request is open. A stranger may have asked for something, too.
    update app.person_requests as r set state = 'lapsed', closed_at = clock_timestamp()
    where r.uid = v_own and r.state = 'open'
      and (
        v_was_unproved
          or exists (select from app.person_requests as o where o.uid = p_uid and o.kind = r.kind and o.state = 'open')
      );
    update app.person_requests set uid = p_uid where uid = v_own;
    delete from app.posters where uid = v_own;
    delete from app.used_quotas where uid = v_own;
    delete from app.user_balances where uid = v_own;
    delete from app.users where uid = v_own;
  end if;
  update app.users set auth_id = p_auth_id, phone = coalesce(p_phone, phone) where uid = p_uid;
  return true;
exception when foreign_key_violation then
  -- Another transaction has just begun to use the member.
  return false;
end
$$;

comment on function app.give_imported_member is
  'Gives an unclaimed imported member to an account whose own member is not in use, and returns whether it did. The '
  'account keeps its addresses, payout accounts and requests, unless its password may be that of a stranger.';

-- Has no set clause and does not check the address itself, so that the planner can inline it: a function that calls
-- app.is_address would have it planned again for each order. Stable, as to_jsonb is.
create or replace function app.import_address(p_order app.staged_orders)
returns jsonb
language sql
stable
parallel safe
as $$
  select case when p_order.street is not null then pg_catalog.jsonb_build_object(
    'name', pg_catalog.btrim(p_order.receiver_name), 'phone', pg_catalog.btrim(p_order.receiver_phone),
    'region', pg_catalog.to_jsonb(pg_catalog.regexp_split_to_array(pg_catalog.btrim(p_order.region), '[ /]+')),
    'street', pg_catalog.btrim(p_order.street)
  ) end
$$;

comment on function app.import_address is
  'Returns the postal address of a staged order in the form of app.is_address. Null or no address if it is incomplete.';

-- Idempotent: a row that is imported already is left as it is.
create or replace function app.import_bill(p_source text, p_after integer, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_last integer;
  v_written integer;
begin
  select max(b.line) into v_last
  from (
    select s.line from app.staged_bill as s where s.source = p_source and s.line > p_after order by s.line limit p_limit
  ) as b;
  insert into app.imported_bill (
    source, old_id, uid, type, title, is_income, amount, balance, order_ref, add_time, note
  )
  select
    s.source, s.id, m.uid, s.type, left(coalesce(s.title, ''), 1000), s.is_income::boolean, s.amount::numeric,
    s.balance::numeric, s.order_ref,
    app.import_time(s.happened_at, v_zone), left(coalesce(s.note, ''), 1000)
  from app.staged_bill as s
  join app.imported_members as m on m.old_uid = s.uid::bigint
  where s.source = p_source and s.line > p_after and s.line <= v_last
  on conflict do nothing;
  get diagnostics v_written = row_count;
  update app.imports set bill_rows = bill_rows + v_written where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_bill is
  'Copies the next p_limit staged bill rows of a file after a line into app.imported_bill, and returns the last line, '
  'or null if none was left.';

-- Has no set clause and no FROM, so that the planner can inline it.
create or replace function app.import_phone(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_text !~ '^[ ]*([+]|00)'
      and pg_catalog.regexp_replace(p_text, '[^0-9]', '', 'g') ~ '^1[0-9]{10}$' then '86'
        || pg_catalog.regexp_replace(p_text, '[^0-9]', '', 'g')
    when p_text !~ '[^0-9 ()+-]'
      and pg_catalog.regexp_replace(
        pg_catalog.regexp_replace(p_text, '^[ ]*00', ''), '[^0-9]', '', 'g'
      ) ~ '^[1-9][0-9]{7,14}$'
      then pg_catalog.regexp_replace(pg_catalog.regexp_replace(p_text, '^[ ]*00', ''), '[^0-9]', '', 'g')
  end
$$;

comment on function app.import_phone is
  'Returns a phone number as Auth stores it, with country code and without "+", or null if the text is none. Eleven '
  'digits that begin with 1 are of mainland China, unless "+" or "00" begins a country code.';

-- No nested loops: see app.import_order_rows.
-- Precondition: the caller owns the structure lock and has inserted the members.
create or replace function app.import_openings(
  p_uids bigint[], p_after integer, p_limit integer, p_plan integer, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
begin
  insert into app.opening_cycles (uid, places, plan_version)
  select s.new_uid, s.places::smallint, p_plan
  from unnest(p_uids) as m (uid) join app.staged_members as s on s.new_uid = m.uid
  where s.rank > p_after and s.rank <= p_after + p_limit and s.places::integer > 0;
  insert into app.user_balances (
    uid, brokerage_price, total_brokerage, frozen_points, available_points, total_points_earned, total_places, cycle_no,
    cycle_plan_version, cycle_is_open
  )
  select
    s.new_uid, b.commission, b.commission, b.frozen, b.available, b.frozen + b.available,
    coalesce(c.places, 0), (c.uid is not null)::integer, c.plan_version, c.uid is not null
  from unnest(p_uids) as m (uid)
  join app.staged_members as s on s.new_uid = m.uid
  cross join lateral (
    select coalesce(s.commission::numeric, 0) as commission, coalesce(s.frozen_points::numeric, 0) as frozen,
      coalesce(s.available_points::numeric, 0) as available
  ) as b
  left join app.opening_cycles as c on c.uid = s.new_uid
  where s.rank > p_after and s.rank <= p_after + p_limit;
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    add_time
  )
  select b.uid, 'opening_balance', 'import', b.brokerage_price, b.frozen_points, b.available_points, b.brokerage_price,
    b.frozen_points, b.available_points, p_now
  from app.user_balances as b
  where b.uid = any (p_uids) and (b.brokerage_price, b.frozen_points, b.available_points) <> (0, 0, 0)
  order by b.uid;
  insert into app.level_changes (uid, from_level, to_level, to_held, reason, add_time)
  select u.uid, 0, u.agent_level, u.is_held, 'imported', p_now
  from app.users as u where u.uid = any (p_uids) and (u.agent_level > 0 or u.is_held) order by u.uid;
  insert into app.no_assess_changes (uid, from_value, to_value, add_time)
  select u.uid, false, true, p_now from app.users as u where u.uid = any (p_uids) and u.no_assess order by u.uid;
end
$$;

comment on function app.import_openings is
  'Writes what imported members, p_limit staged ones after a rank, begin with: balances with their bill row, places '
  'of the open cycle, level and flag with their history.';

-- The opening balance is the first row of a member's bill, and the imported level the first change of the level: every
-- balance and level follows from its records from the beginning.
-- Staged members are read by rank, so that a batch does not depend on the size of the file. No nested loops: see
-- app.import_order_rows.
-- Locks: structure (exclusive).
-- Idempotent: a member who is imported already is left as they are.
create or replace function app.import_members(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_plan integer;
  v_uids bigint[];
begin
  perform app.lock_structure();
  v_plan := app.active_plan_version();
  with added as (
    insert into app.users (
      uid, nickname, phone, avatar, spread_uid, spread_time, agent_level, is_held, no_assess, add_time
    )
    overriding system value
    select
      s.new_uid, coalesce(app.visible_text(left(app.visible_text(s.nickname), 64)), app.neutral_nickname()),
      app.import_phone(s.phone),
      app.shown_avatar(s.avatar), r.uid,
      case
        when r.uid is not null then coalesce(
          app.import_time(s.referred_at, v_zone), app.import_time(s.joined_at, v_zone), p_now
        )
      end,
      coalesce(s.level::smallint, 0), coalesce(s.level_held::boolean, false), coalesce(s.no_assess::boolean, false),
      coalesce(app.import_time(s.joined_at, v_zone), p_now)
    from app.staged_members as s
    cross join lateral (
      select coalesce(
        (select m.new_uid from app.staged_members as m where m.uid = s.referrer),
        (select i.uid from app.imported_members as i where i.old_uid = s.referrer::bigint)
      ) as uid
    ) as r
    where s.rank > p_after and s.rank <= p_after + p_limit
      and not exists (select from app.imported_members as i where i.old_uid = s.uid::bigint)
    order by s.rank
    returning uid
  )
  select array_agg(a.uid order by a.uid) into v_uids from added as a;
  perform app.import_openings(v_uids, p_after, p_limit, v_plan, p_now);

  insert into app.imported_members (old_uid, uid, phone, unionid, imported_at)
  select s.uid::bigint, s.new_uid, s.claim_phone, s.claim_unionid, p_now
  from unnest(v_uids) as m (uid) join app.staged_members as s on s.new_uid = m.uid
  where s.rank > p_after and s.rank <= p_after + p_limit;
  insert into app.imported_openids (openid, appid, uid)
  select o.openid, o.appid, s.new_uid
  from unnest(v_uids) as m (uid) join app.staged_members as s on s.new_uid = m.uid
  join app.staged_openids as o on o.uid = s.uid
  where s.rank > p_after and s.rank <= p_after + p_limit and o.is_claim
  on conflict do nothing;
  update app.imports set members = members + coalesce(cardinality(v_uids), 0) where finished_at is null;
  return (select max(s.rank) from app.staged_members as s where s.rank > p_after and s.rank <= p_after + p_limit);
end
$$;

comment on function app.import_members is
  'Imports the next p_limit staged members after a rank, with referrer, level, balances and places, and returns the '
  'last rank, or null if none was left.';

-- Idempotent: a product that is imported already is left as it is.
create or replace function app.import_products(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_row app.staged_products;
  v_last integer;
  v_id bigint;
  v_written integer := 0;
begin
  for v_row in select s.* from app.staged_products as s where s.line > p_after order by s.line limit p_limit loop
    v_last := v_row.line;
    continue when exists (select from app.imported_products as i where i.old_id = v_row.id);
    insert into app.products (title, price, freight, is_queue_goods, is_show, stock, description, add_time, updated_at)
    values (
      app.visible_text(v_row.title), v_row.price::numeric, coalesce(v_row.freight::numeric, 0),
      v_row.is_queue_goods::boolean, coalesce(v_row.is_show::boolean, true),
      v_row.stock::bigint, left(coalesce(app.clean_text(v_row.description), ''), 20000),
      coalesce(app.import_time(v_row.added_at, v_zone), p_now), p_now
    )
    returning id into v_id;
    insert into app.imported_products (old_id, product_id) values (v_row.id, v_id);
    v_written := v_written + 1;
  end loop;
  update app.imports set products = products + v_written where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_products is
  'Imports the next p_limit staged products after a line and returns the last line, or null if none was left.';

-- Precondition: app.check_import finds no error.
-- Locks: app.users against sign-ups, which never take the uid of a member who is still to come.
create or replace function app.prepare_import()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_highest bigint := (select max(s.uid::bigint) from app.staged_members as s);
begin
  lock table app.users in share row exclusive mode;
  if v_highest >= (select q.last_value from app.users_uid_seq as q) then
    perform setval('app.users_uid_seq', v_highest);
  end if;
  with recursive claims as materialized (
    select c.* from app.import_claims() as c where c.members = 1 and c.owner is null
  ),
  openids as (
    update app.staged_openids as o set is_claim = true from claims as c where c.name = 'openid' and c.line = o.line
  ),
  claimed as (
    select i.uid, max(i.id) filter (where i.name = 'phone') as phone,
      max(i.id) filter (where i.name = 'unionid') as unionid
    from claims as i group by i.uid
  ),
  tree as (
    select s.uid, 1 as depth from app.staged_members as s
    where s.referrer is null or not exists (select from app.staged_members as r where r.uid = s.referrer)
    union all
    select s.uid, t.depth + 1 from tree as t join app.staged_members as s on s.referrer = t.uid
  ),
  ranks as (select t.uid, row_number() over (order by t.depth, t.uid::bigint) as rank from tree as t),
  -- New uids follow the ranks.
  numbered as (
    select k.uid, k.rank, coalesce(
      (select i.uid from app.imported_members as i where i.old_uid = k.uid::bigint),
      case
        when exists (select from app.users as u where u.uid = k.uid::bigint) then nextval('app.users_uid_seq')
        else k.uid::bigint
      end
    ) as new_uid
    from ranks as k
    order by k.rank
  )
  update app.staged_members as s
  set rank = r.rank, claim_phone = c.phone, claim_unionid = c.unionid,
      new_uid = r.new_uid
  from numbered as r
  left join claimed as c on c.uid = r.uid
  where r.uid = s.uid;
  analyze app.staged_members;
end
$$;

comment on function app.prepare_import is
  'Gives each staged member a uid (the old one unless another member has it), and a rank that puts referrers first. '
  'Also sets the ids by which the member can be claimed.';
