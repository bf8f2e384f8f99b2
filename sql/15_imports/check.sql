-- Checks of an import that read nothing but the staged rows of members and values.

create or replace function app.import_columns()
returns table (file text, name text, kind text, is_required boolean)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select c.* from (values
    ('products', 'id', 'code', true), ('products', 'title', 'title', true), ('products', 'price', 'amount', true),
    ('products', 'freight', 'amount', false), ('products', 'is_queue_goods', 'flag', true),
    ('products', 'is_show', 'flag', false),
    ('products', 'stock', 'count', false), ('products', 'description', 'text', false),
    ('products', 'added_at', 'time', false),
    ('members', 'uid', 'id', true), ('members', 'nickname', 'text', false), ('members', 'avatar', 'text', false),
    ('members', 'phone', 'text', false), ('members', 'unionid', 'code', false), ('members', 'referrer', 'id', false),
    ('members', 'referred_at', 'time', false), ('members', 'joined_at', 'time', false),
    ('members', 'level', 'count', false),
    ('members', 'level_held', 'flag', false), ('members', 'no_assess', 'flag', false),
    ('members', 'commission', 'money', false),
    ('members', 'frozen_points', 'points', false), ('members', 'available_points', 'signed_points', false),
    ('members', 'places', 'count', false),
    ('members', 'is_claimable', 'flag', false),
    ('openids', 'uid', 'id', true), ('openids', 'openid', 'code', true), ('openids', 'appid', 'code', false),
    ('orders', 'order_no', 'code', true), ('orders', 'uid', 'id', true), ('orders', 'referrer', 'id', false),
    ('orders', 'state', 'state', true),
    ('orders', 'total_price', 'amount', false), ('orders', 'discount', 'amount', false),
    ('orders', 'freight', 'amount', false),
    ('orders', 'pay_price', 'amount', true), ('orders', 'placed_at', 'time', true),
    ('orders', 'paid_at', 'time', false),
    ('orders', 'delivered_at', 'time', false), ('orders', 'received_at', 'time', false),
    ('orders', 'cancelled_at', 'time', false),
    ('orders', 'pay_type', 'text', false), ('orders', 'pay_ref', 'reference', false),
    ('orders', 'carrier', 'text', false),
    ('orders', 'tracking_no', 'text', false), ('orders', 'receiver_name', 'text', false),
    ('orders', 'receiver_phone', 'text', false),
    ('orders', 'region', 'text', false), ('orders', 'street', 'text', false), ('orders', 'remark', 'text', false),
    ('order_lines', 'order_no', 'code', true), ('order_lines', 'line_no', 'id', true),
    ('order_lines', 'product_id', 'code', true),
    ('order_lines', 'title', 'text', false), ('order_lines', 'price', 'amount', true),
    ('order_lines', 'quantity', 'quantity', true),
    ('order_lines', 'discount', 'amount', false), ('order_lines', 'is_queue_goods', 'flag', false),
    ('refunds', 'order_no', 'code', true), ('refunds', 'refund_no', 'code', true), ('refunds', 'line_no', 'id', false),
    ('refunds', 'quantity', 'quantity', false), ('refunds', 'state', 'refund_state', false),
    ('refunds', 'refunded_at', 'time', false),
    ('refunds', 'reason', 'text', false),
    ('bill', 'id', 'code', true), ('bill', 'uid', 'id', true), ('bill', 'type', 'code', true),
    ('bill', 'title', 'text', false),
    ('bill', 'is_income', 'flag', false), ('bill', 'amount', 'signed_points', true),
    ('bill', 'balance', 'signed_points', false),
    ('bill', 'order_ref', 'reference', false), ('bill', 'happened_at', 'time', false), ('bill', 'note', 'text', false)
  ) as c (file, name, kind, is_required)
$$;

comment on function app.import_columns is
  'Returns the columns of the neutral form of an import: file, name, kind of value (app.import_kinds) and whether it '
  'is required (docs/import.md).';

-- A time is checked as far as a pattern can; app.import_time checks the day of the month.
-- Lengths are not in the patterns: matching [!-~]{1,64} takes several times as long as matching [!-~]+ and counting.
create or replace function app.import_kinds()
returns table (kind text, pattern text, max_length integer, finding text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select k.* from (values
    ('id', '^[1-9][0-9]*$', 15, 'is not a whole number from 1'),
    ('count', '^[0-9]+$', 9, 'is not a whole number from 0'),
    ('quantity', '^[1-9][0-9]*$', 4, 'is not a whole number from 1 to 9999'),
    ('money', '^-?[0-9]{1,9}([.][0-9]{0,2}0*)?$', null, 'is not an amount of money with at most 2 decimals'),
    ('amount', '^[0-9]{1,9}([.][0-9]{0,2}0*)?$', null, 'is not an amount of money from 0 with at most 2 decimals'),
    ('points', '^[0-9]{1,13}([.][0-9]{0,4}0*)?$', null, 'is not a number of points from 0 with at most 4 decimals'),
    ('signed_points', '^-?[0-9]{1,13}([.][0-9]{0,4}0*)?$', null, 'is not a number with at most 4 decimals'),
    ('flag', '^(0|1|true|false)$', null, 'is not 0 or 1'),
    ('code', '^[!-~]+$', 64, 'is not a code of 1 to 64 printable ASCII characters'),
    ('reference', '^[!-~]+$', 128, 'is not a reference of 1 to 128 printable ASCII characters'),
    (
      'state', '^(unpaid|paid|delivered|received|cancelled)$', null,
      'is not unpaid, paid, delivered, received or cancelled'
    ),
    ('refund_state', '^(refunded|requested)$', null, 'is not refunded or requested'),
    ('title', '^.+$', 200, 'is not a text of 1 to 200 characters'),
    ('time', '^(19[7-9][0-9]|20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])?$', null,
      'is not a time such as 2026-01-31T08:30:00+08:00'),
    ('text', null, null, null)
  ) as k (kind, pattern, max_length, finding)
$$;

comment on function app.import_kinds is
  'Returns the kinds of values in files of an import: the pattern (null: any text), the greatest length (null: what '
  'the pattern allows), and the finding if a value does not fit.';

create or replace function app.check_import_values(p_now timestamptz)
returns table (severity text, file text, line integer, name text, finding text, value text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_column record;
  v_zone text := (select t.time_zone from app.settings as t);
begin
  for v_column in select c.*, k.pattern, k.max_length, k.finding from app.import_columns() as c
    join app.import_kinds() as k on k.kind = c.kind order by c.file, c.name loop
    if v_column.is_required then
      return query execute format(
        'select ''error'', %s, s.line, %L, ''is missing'', null from app.staged_%I as s where s.%I is null',
        case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name,
        v_column.file, v_column.name
      );
    end if;
    continue when v_column.pattern is null;
    return query execute format(
      'select ''error'', %s, s.line, %L, %L, left(s.%I, 60) from app.staged_%I as s where s.%I !~ %L or char_length(s.%I) > %L',
      case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name,
      v_column.finding, v_column.name,
      v_column.file, v_column.name, v_column.pattern, v_column.name, v_column.max_length
    );
    continue when v_column.kind <> 'time';
    -- `offset 0`: the time is computed once, and only of values that match the pattern.
    return query execute format(
      'select ''error'', %s, s.line, %L, case when t.at is null then ''is a day that the month does not have'' else ''is in the future'' end, s.%I
       from app.staged_%I as s
       cross join lateral (select app.import_time(s.%I, $2) as at offset 0) as t
       where s.%I ~ %L and (t.at is null or t.at > $1)',
      case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name,
      v_column.name, v_column.file,
      v_column.name, v_column.name, v_column.pattern
    ) using p_now, v_zone;
  end loop;
end
$$;

comment on function app.check_import_values is
  'Finds staged values that are missing, do not match the kind of their column, or are times in the future.';

-- If the chain of referrers of a member does not end at a member without a referrer, the member is in a loop or below
-- one. Each walk up the chain ends where an earlier one has been, so every member is visited once, whatever the lengths
-- of the loops are.
create or replace function app.import_loops()
returns table (line integer, members text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_shown constant integer := 12;
  v_uids text[];
  v_lines integer[];
  v_referrers integer[];
  v_walks integer[];
  v_at integer;
  v_first integer;
  v_length integer;
begin
  with recursive tree as (
    select s.uid from app.staged_members as s
    where s.referrer is null or not exists (select from app.staged_members as r where r.uid = s.referrer)
    union
    select s.uid from tree as t join app.staged_members as s on s.referrer = t.uid
  ),
  rest as materialized (
    select s.uid, s.referrer, min(s.line) as line, row_number() over (order by min(s.line))::integer as number
    from app.staged_members as s
    where s.referrer <> s.uid and not exists (select from tree as t where t.uid = s.uid)
    group by s.uid, s.referrer
  )
  select array_agg(m.uid order by m.number), array_agg(m.line order by m.number), array_agg(r.number order by m.number)
  into v_uids, v_lines, v_referrers
  from rest as m
  left join (select o.uid, min(o.number) as number from rest as o group by o.uid) as r on r.uid = m.referrer;
  v_walks := array_fill(0, array[coalesce(cardinality(v_uids), 0)]);
  for v_start in 1..coalesce(cardinality(v_uids), 0) loop
    v_at := v_start;
    while v_walks[v_at] = 0 loop
      v_walks[v_at] := v_start;
      v_at := v_referrers[v_at];
    end loop;
    continue when v_walks[v_at] is distinct from v_start;
    v_first := v_at;
    v_length := 0;
    members := '';
    line := v_lines[v_at];
    loop
      v_length := v_length + 1;
      if v_length <= v_shown then
        members := members || v_uids[v_at] || ' → ';
      end if;
      line := least(line, v_lines[v_at]);
      v_at := v_referrers[v_at];
      exit when v_at = v_first;
    end loop;
    members := members || case when v_length > v_shown then '…' else v_uids[v_first] end;
    return next;
  end loop;
end
$$;

comment on function app.import_loops is
  'Returns each loop of referrers among the staged members once: its first line, and up to 12 of its numbers, each '
  'followed by that of the referrer.';

create or replace function app.check_import_members()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with known as (
    select s.uid from app.staged_members as s union select i.old_uid::text from app.imported_members as i
  ),
  claims as materialized (select c.* from app.import_claims() as c),
  plan as (select p.people_per_cycle from app.commission_plans as p order by p.version desc limit 1)
  select 'error', 'products', s.line, 'id', 'occurs more than once', s.id
  from (select *, count(*) over (partition by p.id) as times from app.staged_products as p) as s where s.times > 1
  union all
  select 'error', 'products', s.line, 'title', 'has no visible character', s.title from app.staged_products as s
  where not app.is_visible(s.title)
  union all
  select 'error', 'products', s.line, t.name, 'is above a million', t.value
  from app.staged_products as s
  cross join lateral (values ('price', s.price), ('freight', s.freight)) as t (name, value)
  where t.value::numeric > 1000000
  union all
  select 'error', 'members', s.line, 'uid', 'occurs more than once', s.uid
  from (select *, count(*) over (partition by m.uid) as times from app.staged_members as m) as s where s.times > 1
  union all
  select 'error', 'members', s.line, 'referrer', 'is the member', s.referrer from app.staged_members as s
  where s.referrer = s.uid
  union all
  select 'error', 'members', s.line, 'referrer', 'is not a known member', s.referrer
  from app.staged_members as s
  where s.referrer is not null and not exists (select from known as k where k.uid = s.referrer)
  union all
  select 'error', 'members', l.line, 'referrer', 'is part of a loop of referrers: correct one of its members', l.members
  from app.import_loops() as l
  union all
  select 'error', 'members', s.line, 'level', 'is not an active level of this store', s.level
  from app.staged_members as s
  where s.level::integer not in (select l.grade from app.agent_levels as l where l.is_active or l.grade = 0)
  union all
  select 'error', 'members', s.line, 'places',
    format('is not below the %s places of a cycle of the plan in force', p.people_per_cycle), s.places
  from app.staged_members as s cross join plan as p where s.places::integer >= p.people_per_cycle
  union all
  select 'error', f.file, f.line, 'uid', 'is not a known member', f.uid
  from (
    select 'openids' as file, o.line, o.uid from app.staged_openids as o union all select b.source, b.line, b.uid
    from app.staged_bill as b
  ) as f
  where not exists (select from known as k where k.uid = f.uid)
  union all
  select 'error', 'members', s.line, 'uid',
    'was imported before for a member who joined at another time: give the members of a second system numbers that are not in use',
    s.uid
  from app.staged_members as s
  join app.imported_members as i on i.old_uid = s.uid::bigint
  join app.users as u on u.uid = i.uid
  cross join app.settings as t
  where u.add_time <> i.imported_at
    and app.import_time(s.joined_at,
      t.time_zone) not between u.add_time - interval '1 day' and u.add_time + interval '1 day'
  union all
  select 'warning', 'members', s.line, 'avatar',
    'is not an address of at most 512 characters on an allowed origin (docs/deploy.md, "Avatars"): it is left out',
    left(s.avatar, 60)
  from app.staged_members as s where s.avatar is not null and app.shown_avatar(s.avatar) is null
  union all
  select 'warning', 'members', s.line, 'phone', 'is not a phone number: it is left out', s.phone
  from app.staged_members as s where s.phone is not null and app.import_phone(s.phone) is null
  union all
  select 'warning', c.file, c.line, c.name, 'belongs to several members: nobody can be claimed by it', c.value
  from claims as c where c.members > 1 and c.owner is null
  union all
  select 'warning', c.file, c.line, c.name,
    'belongs to a member who was imported before: only that member can be claimed by it', c.value
  from claims as c where c.owner <> c.uid::bigint
  union all
  select 'warning', 'members', s.line, 'uid',
    'is the number of another member of this store: the member gets a new one (app.imported_members) and needs a new share link',
    s.uid
  from app.staged_members as s
  where exists (select from app.users as u where u.uid = s.uid::bigint)
    and not exists (select from app.imported_members as i where i.old_uid = s.uid::bigint)
$$;

comment on function app.check_import_members is
  'Finds staged products and members that the store cannot take, members who get another uid, and ids by which nobody '
  'can be claimed.';

-- Compares with what was imported, not with what became of it in this store: balances with the opening balance.
create or replace function app.check_imported_members()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with members as materialized (
    select s.*, i.uid as known_uid
    from app.staged_members as s join app.imported_members as i on i.old_uid = s.uid::bigint
  ),
  openings as materialized (
    -- Of the table: only releases can stand elsewhere.
    select b.* from app.user_bill as b
    where b.type = 'opening_balance' and b.uid in (select m.known_uid from members as m)
  ),
  levels as (
    select l.uid, l.to_level from app.level_changes as l
    where l.reason = 'imported' and l.uid in (select m.known_uid from members as m)
  )
  select 'warning', 'members', m.line, t.name, 'differs from what was imported before, and is not imported again',
    format('%s (imported: %s)', t.value, t.known)
  from members as m
  left join openings as b on b.uid = m.known_uid
  left join levels as l on l.uid = m.known_uid
  left join app.opening_cycles as c on c.uid = m.known_uid
  cross join lateral (values
    ('commission', coalesce(m.commission::numeric, 0), coalesce(b.brokerage_delta, 0)),
    ('frozen_points', coalesce(m.frozen_points::numeric, 0), coalesce(trim_scale(b.frozen_delta), 0)),
    ('available_points', coalesce(m.available_points::numeric, 0), coalesce(trim_scale(b.available_delta), 0)),
    ('level', coalesce(m.level::numeric, 0), coalesce(l.to_level, 0)),
    ('places', coalesce(m.places::numeric, 0), coalesce(c.places, 0))
  ) as t (name, value, known)
  where t.value <> t.known
$$;

comment on function app.check_imported_members is
  'Finds staged members who were imported before with other balances, level or places. A later import does not change '
  'them.';

-- All values are checked first. The other checks cast values, so they run only if every value can be read as its type.
create or replace function app.check_import(p_now timestamptz, p_limit integer default 20)
returns table (severity text, file text, line integer, name text, finding text, value text, total bigint)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  analyze app.staged_products, app.staged_members, app.staged_openids, app.staged_orders, app.staged_order_lines,
  app.staged_refunds, app.staged_bill;
  return query
    select c.severity, c.file, c.line, c.name, c.finding, c.value, c.total
    from (
      select f.*, row_number() over w as number,
        count(*) over (partition by f.severity, f.file, f.name, f.finding) as total
      from app.check_import_values(p_now) as f
      window w as (partition by f.severity, f.file, f.name, f.finding order by f.line)
    ) as c
    where c.number <= p_limit
    order by c.file, c.line;
  if found then
    return;
  end if;
  return query
    select c.severity, c.file, c.line, c.name, c.finding, c.value, c.total
    from (
      select f.*, row_number() over w as number,
        count(*) over (partition by f.severity, f.file, f.name, f.finding) as total
      from (
        select * from app.check_import_members()
        union all select * from app.check_import_orders(p_now)
        union all select * from app.check_import_lines()
        union all select * from app.check_import_refunds()
        union all select * from app.check_imported_members()
        union all select * from app.check_imported_orders()
      ) as f
      window w as (partition by f.severity, f.file, f.name, f.finding order by f.line)
    ) as c
    where c.number <= p_limit
    order by c.severity, c.file, c.line;
end
$$;

comment on function app.check_import is
  'Checks the staged rows and returns the findings, at most p_limit of each kind, with their total: values that cannot '
  'be read; without those, all others. Errors prevent the import; warnings say what it will do.';

-- Precondition: app.check_import finds no error.
create or replace function app.count_import()
returns table (file text, total bigint, new_rows bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select 'products', count(*), count(*) filter (where i.old_id is null)
  from app.staged_products as s left join app.imported_products as i on i.old_id = s.id
  union all
  select 'members', count(*), count(*) filter (where i.old_uid is null)
  from app.staged_members as s left join app.imported_members as i on i.old_uid = s.uid::bigint
  union all
  select 'orders', count(*), count(*) filter (where o.id is null)
  from app.staged_orders as s left join app.orders as o on o.order_no = s.order_no
  union all
  select 'bill', count(*), count(*) filter (where b.uid is null)
  from app.staged_bill as s left join app.imported_bill as b on b.source = s.source and b.old_id = s.id
$$;

comment on function app.count_import is
  'Returns how many rows the files of an import have, and how many are not imported yet.';
