-- The store of the workloads capacity, reconcile and partitions: everyone is below one root, in a random recursive
-- tree, or below several, with leaders. Each member has brought an order, the grade and the counts that follow from
-- these orders, and frozen points. Every row follows from the others, so app.reconcile() finds nothing.

-- The shape of the tree: how many members are directly below each, and how many in all.
create table bench.members (uid bigint primary key, referrer bigint, directs integer, below integer, grade smallint);

-- What is written to an index row by row takes several times as long as an index that is made at the end.
create function bench.drop_indexes(variadic p_tables text[])
returns text[]
language plpgsql
as $$
declare
  v_made text[] := '{}';
  v_index record;
begin
  for v_index in
    select i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as made
    from unnest(p_tables) as t (name)
    join pg_index as i on i.indrelid = to_regclass('app.' || t.name)
    where not exists (select from pg_constraint as c where c.conindid = i.indexrelid)
    order by i.indexrelid
  loop
    execute format('drop index %s', v_index.name);
    v_made := v_made || v_index.made;
  end loop;
  return v_made;
end
$$;

create procedure bench.make_indexes(p_made text[])
language plpgsql
as $$
declare
  v_made text;
begin
  foreach v_made in array p_made loop
    execute v_made;
  end loop;
end
$$;

-- The first p_roots members have no referrer. The others join below a random earlier member; with several roots, one in
-- twenty below a leader: one of the first 1,000 members, the first ones most often.
create procedure bench.grow_trees(p_count integer, p_roots integer)
language plpgsql
as $$
declare
  v_referrers integer[] := array_fill(0, array[p_count]);
  v_directs integer[] := array_fill(0, array[p_count]);
  v_below integer[] := array_fill(0, array[p_count]);
begin
  for i in p_roots + 1 .. p_count loop
    v_referrers[i] := case
      when p_roots > 1 and random() < 0.05 then floor(least(i, 1000) ^ random())
      else 1 + floor(random() * (i - 1))
    end::integer;
  end loop;
  -- A referrer has joined earlier, so everyone below a member is added up before the member is.
  for i in reverse p_count .. p_roots + 1 loop
    v_directs[v_referrers[i]] := v_directs[v_referrers[i]] + 1;
    v_below[v_referrers[i]] := v_below[v_referrers[i]] + v_below[i] + 1;
  end loop;
  insert into bench.members
  select
    m.uid, nullif(m.referrer, 0) as referrer, m.directs, m.below,
    case
      when m.directs < 3 then 0
      when m.below >= 1000 then 4
      when m.below >= 100 then 3
      when m.below >= 30 then 2
      else 1
    end as grade
  from unnest(v_referrers, v_directs, v_below) with ordinality as m (referrer, directs, below, uid);
end
$$;

-- The rows of these members. Each procedure writes other tables, so several sessions can call them at the same time.
-- Call them with session_replication_role = replica: foreign keys and triggers would take most of the time, and hold by
-- construction.
create procedure bench.write_users(p_at timestamptz)
language plpgsql
as $$
declare
  v_indexes text[] := bench.drop_indexes('users');
begin
  insert into app.users (uid, nickname, spread_uid, spread_time, agent_level, add_time) overriding system value
  select m.uid, 'member ' || m.uid, m.referrer, case when m.referrer is not null then p_at end, m.grade, p_at
  from bench.members as m order by m.uid;
  call bench.make_indexes(v_indexes);
end
$$;

create procedure bench.write_balances(p_at timestamptz, p_points numeric)
language plpgsql
as $$
declare
  v_indexes text[] := bench.drop_indexes('team_totals', 'level_changes');
begin
  insert into app.user_balances (
    uid, frozen_points, total_points_earned, own_orders, direct_orders, umbrella_orders, direct_members,
    umbrella_members
  )
  select m.uid, p_points, p_points, 1, m.directs, m.below, m.directs, m.below from bench.members as m order by m.uid;
  insert into app.team_totals (
    uid, spread_uid, own_orders, direct_members, direct_orders, umbrella_members, umbrella_orders
  )
  select m.uid, m.referrer, 1, m.directs, m.directs, m.below, m.below from bench.members as m order by m.uid;
  insert into app.level_changes (uid, from_level, to_level, reason, add_time)
  select m.uid, 0, m.grade, 'imported', p_at from bench.members as m where m.grade > 0 order by m.uid;
  call bench.make_indexes(v_indexes);
end
$$;

create procedure bench.write_openings(p_at timestamptz, p_points numeric)
language sql
as $$
  insert into app.user_bill (uid, type, source, frozen_delta, brokerage_after, frozen_after, available_after, add_time)
  select m.uid, 'opening_balance', 'import', p_points, 0, p_points, 0, p_at from bench.members as m order by m.uid
$$;

-- What an order is sent to, so that the rows of orders are as long as those of a store that ships.
create function bench.address()
returns jsonb
language sql
immutable
as $$
  select '{"name": "陈静", "phone": "13800000000", "region": ["广东省", "深圳市", "南山区"], "street": "科技园南路 100 号 8 栋 1203"}'::jsonb
$$;

-- One imported order of every member, with the number of the member.
create procedure bench.write_orders(p_at timestamptz)
language plpgsql
as $$
declare
  v_indexes text[] := bench.drop_indexes('orders');
begin
  insert into app.products (title, price, is_queue_goods) values ('Flagship', 3600, true);
  insert into app.orders (
    id, order_no, uid, referrer_uid, state, total_price, pay_price, has_queue_goods, queue_base, queue_units,
    plan_version, pay_type, pay_ref,
    paid_at, delivered_at, received_at, add_time, address, is_imported
  )
  overriding system value
  select
    m.uid, 'own-' || m.uid, m.uid, m.referrer, 'received', 3600, 3600, true, 3600, 1, 1, 'bench', 'own-' || m.uid, t.at,
    t.at, t.at, t.at,
    bench.address(), true
  from bench.members as m
  -- No two at the same time: lists in the order of payment would have to sort all of them.
  cross join lateral (select p_at + m.uid * interval '1 millisecond' as at) as t
  order by m.uid;
  perform setval(pg_get_serial_sequence('app.orders', 'id'), max(m.uid)) from bench.members as m;
  call bench.make_indexes(v_indexes);
end
$$;

create procedure bench.write_settlements(p_at timestamptz)
language plpgsql
as $$
declare
  v_indexes text[] := bench.drop_indexes('order_lines', 'settlements');
begin
  insert into app.order_lines (order_id, product_id, title, price, quantity, paid, is_queue_goods)
  select m.uid, 1, 'Flagship', 3600, 1, 3600, true from bench.members as m order by m.uid;
  insert into app.settlements (
    order_id, position, state, uid, referrer_uid, order_plan_version, level_version, plan_in_force, brokerage_scope,
    base, units, reason, settled_at
  )
  select m.uid, nextval('app.positions'), 'imported', m.uid, m.referrer, 1, 1, 1, 'direct', 3600, 1, 'imported',
    p_at + interval '1 day'
  from bench.members as m order by m.uid;
  call bench.make_indexes(v_indexes);
end
$$;

-- What tables take on the disk with all of their indexes.
create function bench.bytes_of(variadic p_tables text[])
returns bigint
language sql
as $$
  select sum(pg_total_relation_size(to_regclass('app.' || t.name)))::bigint from unnest(p_tables) as t (name)
$$;

-- Of orders of a random sample of members: the mean number of ancestors, the share that writes the root's row, and the
-- largest share that writes one row of anybody, by what app.upline_of says that a settlement may write.
create function bench.rows_written(
  p_sample integer, out depth double precision, out root_share double precision, out hottest_share double precision
)
language sql
as $$
  with uplines as materialized (
    select cardinality(w.uids) - 1 as depth, w.written
    from (select m.uid from bench.members as m order by random() limit p_sample) as b
    cross join lateral app.upline_of(
      array[b.uid], (select l.rules from app.level_versions as l order by l.version desc limit 1)
    ) as w
  ),
  shares as (
    select m.uid, count(*)::double precision / p_sample as share from uplines as u
    cross join lateral unnest(u.written) as m (uid) group by m.uid
  )
  select
    (select avg(u.depth) from uplines as u), coalesce((select s.share from shares as s where s.uid = 1), 0),
      (select max(s.share) from shares as s)
$$;
