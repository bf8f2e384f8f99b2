import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { migrate, migrationsUntil } from "./released_migrations.ts";

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

/** Members, orders and leavings as 1.0.0 books them. */
const STORE_OF_1_0_0 = `
  select app.create_month_partition(t, date_trunc('month', now())::date) from unnest(app.monthly_tables()) as t;
  insert into app.products (title, price, freight, is_queue_goods) values ('Flagship', 1000, 0, true);
  create function public.sign_up(p_name text, p_referrer bigint default null) returns bigint language plpgsql as $$
  begin
    insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
    values (gen_random_uuid(), p_name || '@example.com', now(), jsonb_build_object('nickname', p_name, 'spread', p_referrer::text));
    return (select u.uid from app.users as u join auth.users as a on a.id = u.auth_id where a.email = p_name || '@example.com');
  end $$;
  create function public.buy(p_uid bigint) returns bigint language plpgsql as $$
  declare v_id bigint := (app.create_order(p_uid, (select jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)) from app.products as p), now())).id;
  begin
    perform app.pay_order(v_id, 'test', 'test-' || v_id, now());
    perform app.settle_order(v_id, now());
    return v_id;
  end $$;
  create table public.people as select public.sign_up('deleted') as deleted, public.sign_up('removed') as removed, public.sign_up('stays') as stays;
  select public.buy(deleted), public.buy(removed), public.buy(stays) from public.people;
  create table public.below as
  select public.sign_up('a', deleted) as of_deleted, public.sign_up('b', removed) as of_removed, public.sign_up('c', stays) as of_stays from public.people;
  create table public.orders as select public.buy(of_deleted) as given_up from public.below;
  select public.buy(of_removed) from public.below;
  update app.orders as o set state = 'received', received_at = now() - interval '60 days' from public.people as p where o.uid = p.deleted;
  select app.request_deletion(b.uid, b.brokerage_price, b.frozen_points, b.available_points, now() - interval '8 days')
  from app.user_balances as b, public.people as p where b.uid = p.deleted;
  select app.delete_account_if_due(deleted, now()) from public.people;
  delete from auth.users where email = 'removed@example.com';
  -- Both earn on.
  select public.buy(of_deleted), public.buy(of_removed), public.buy(of_stays) from public.below;
  -- An imported member whom nobody has claimed.
  insert into app.users (nickname) values ('Imported');
  insert into app.user_balances (uid) select max(u.uid) from app.users as u;
`;

describe("a store of 1.0.0 that members have left", { concurrent: false }, () => {
  let clone: ClonedDatabase;
  beforeAll(async () => {
    clone = await cloneDatabase("platform");
    await migrate(clone.url, migrationsUntil("1.0.0"));
    const sql = connect(clone.url);
    await sql.unsafe(STORE_OF_1_0_0);
    await sql.end();
  });
  afterAll(() => clone.drop());

  // Guarantee privacy/left-gave-up
  it("takes by the update what deleted members have earned since, leaves what others are owed, and pays neither any more", async () => {
    const sql = connect(clone.url);
    const balances = () => sql<{ who: string; money: string; frozen: number; has_left: boolean }[]>`
      select p.who, b.brokerage_price as money, trim_scale(b.frozen_points)::float as frozen, to_jsonb(u) -> 'left_at' <> 'null' as has_left
      from people as o cross join lateral (values ('deleted', o.deleted), ('removed', o.removed), ('stays', o.stays)) as p (who, uid)
      join app.user_balances as b on b.uid = p.uid join app.users as u on u.uid = p.uid order by p.who`;
    const before = await balances();
    expect(before.map(({ money }) => Number(money) > 0)).toEqual([true, true, true]);

    await applyMigrations(clone.url, "A released migration is never edited.");

    const [deleted, removed, stays] = await balances();
    expect(deleted).toMatchObject({ money: "0.00", frozen: 0, has_left: true });
    expect(removed).toMatchObject({ money: before[1]!.money, frozen: before[1]!.frozen, has_left: true });
    expect(stays).toMatchObject({ money: before[2]!.money, frozen: before[2]!.frozen, has_left: false });
    const forfeits =
      await sql`select a.kind, -a.brokerage_delta as money, a.reason from app.adjustments as a order by a.id`;
    expect(forfeits.map((row) => ({ ...row }))).toEqual([
      {
        kind: "forfeit",
        money: expect.stringMatching(/^\d+\.\d\d$/),
        reason: "Given up with the deletion of the account",
      },
      {
        kind: "forfeit",
        money: before[0]!.money,
        reason: "Earned after the deletion of the account, until the update to 2.0.0",
      },
    ]);
    const left = await sql`select count(*)::integer as members from app.users where left_at is not null`;
    expect(left[0]).toEqual({ members: 2 });

    // Nobody above earns, what was given up is taken back first, and what was decided before is decided again alike.
    const [bought] = await sql<
      { deleted: string; removed: string }[]
    >`select buy(b.of_deleted) as deleted, buy(b.of_removed) as removed from below as b`;
    const reasons =
      await sql`select reason from app.settlements where order_id in (${bought!.deleted}, ${bought!.removed})`;
    expect(reasons.map(({ reason }) => reason as string)).toEqual(["referrer_left", "referrer_left"]);
    await sql`select app.refund_order(o.given_up, null, 'r', now()) from orders as o`;
    expect((await balances())[0]).toMatchObject({ money: "0.00", frozen: 0 });
    expect([
      ...(await sql`select s.order_id, d.* from app.settlements as s, app.settlement_differences(s) as d`),
    ]).toEqual([]);
    expect([
      ...(await sql`select * from app.reconcile() where check_name not in ('paid_order_has_settlement_or_job')`),
    ]).toEqual([]);
    await sql.end();
  });
});
