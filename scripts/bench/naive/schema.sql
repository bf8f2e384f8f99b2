-- The tables of a store that settles orders from its clients: the same members, and the obvious tables.
create table public.members (
  uid bigint primary key, spread_uid bigint, agent_level integer not null, brokerage numeric(14,2) not null default 0,
  frozen_points numeric(18,4) not null default 0, umbrella_orders integer not null default 0,
  direct_orders integer not null default 0
);
insert into public.members (uid, spread_uid, agent_level, umbrella_orders, direct_orders)
select u.uid, u.spread_uid, u.agent_level, b.umbrella_orders, b.direct_orders from app.users as u
join app.user_balances as b on b.uid = u.uid;
create index on public.members (spread_uid);

create table public.orders (
  id bigint primary key, uid bigint not null, base numeric(12,2) not null, state text not null
);
insert into public.orders (id, uid, base, state)
select o.id, o.uid, o.queue_base, case when o.state = 'received' then 'settled' else 'paid' end from app.orders as o;
create index on public.orders (uid);

create table public.bill (
  id bigint generated always as identity primary key, uid bigint not null, order_id bigint not null, type text not null,
  brokerage numeric(14,2) not null default 0, points numeric(18,4) not null default 0, place integer
);
create index on public.bill (uid, type);
create index on public.bill (order_id);

create table public.levels (
  grade integer primary key, direct_points integer not null, umbrella_points integer not null, direct_target integer,
  umbrella_target integer
);
insert into public.levels (
  grade, direct_points, umbrella_points, direct_target, umbrella_target
) values (0, 0, 0, null, null),
  (1, 500, 0, 3, null), (2, 800, 300, 3, 30), (3, 1000, 500, 3, 100), (4, 1300, 600, 3, 1000);
grant usage on schema public to anon, authenticated, service_role;
grant all on all tables in schema public to service_role;
grant usage on all sequences in schema public to service_role;
