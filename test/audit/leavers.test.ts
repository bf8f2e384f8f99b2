import { expect, it } from "vitest";
import { backdate, backdateMembers } from "../journal/store.ts";
import { cloneDatabase, connect } from "../support/index.ts";
import { check, read, withBundle } from "./bundles.ts";

/**
 * A chain of four, whose middle leaves between two orders at its end: top has a level and an order of their own, as has
 * the middle.
 */
const LEAVING = `
  select app.create_plan('{"brokerage_scope": "umbrella"}', null, '2025-01-01');
  insert into app.products (title, price, is_queue_goods) values ('Flagship', 1000, true);
  create function public.sign_up(p_referrer bigint) returns bigint language plpgsql as $$
  declare v_id uuid := gen_random_uuid();
  begin
    insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values (v_id, v_id || '@example.com', now(), jsonb_build_object('spread', p_referrer::text));
    return (select u.uid from app.users as u where u.auth_id = v_id);
  end $$;
  create function public.buy(p_uid bigint, p_at timestamptz) returns bigint language plpgsql as $$
  declare v_id bigint := (app.create_order(p_uid, (select jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)) from app.products as p), p_at)).id;
  begin
    perform app.pay_order(v_id, 'test', 'test-' || v_id, p_at);
    perform app.settle_order(v_id, p_at);
    return v_id;
  end $$;
  create table public.chain as select public.sign_up(null) as top;
  alter table public.chain add column middle bigint, add column low bigint, add column buyer bigint;
  update public.chain set middle = public.sign_up(top);
  update public.chain set low = public.sign_up(middle);
  update public.chain set buyer = public.sign_up(low);
`;

const HISTORY = `
  select app.set_agent_level(top, 2::smallint, null, '2026-02-10'), app.set_agent_level(middle, 3::smallint, null, '2026-02-10') from public.chain;
  select public.buy(top, '2026-02-11'), public.buy(middle, '2026-02-12') from public.chain;
  create table public.bought as select public.buy(buyer, '2026-03-05') as before from public.chain;
  select app.mark_as_left(middle, '2026-03-10') from public.chain;
  alter table public.bought add column after bigint;
  update public.bought set after = public.buy((select buyer from public.chain), '2026-03-15');
  select public.buy((select buyer from public.chain), '2026-04-05');
`;

it("of the months of a leaving, and after it, decide every settlement as it was booked", async () => {
  const database = await cloneDatabase();
  const sql = connect(database.url);
  try {
    await sql`call app.ensure_month_partitions('2026-02-01', '2026-04-30')`;
    await backdate(sql);
    await sql.unsafe(LEAVING);
    await backdateMembers(sql);
    await sql.unsafe(HISTORY);
    const [earners] = await sql`
      select b.earner_uid = c.middle as before, a.earner_uid = c.top as after from chain as c, bought as o
      join app.settlements as b on b.order_id = o.before join app.settlements as a on a.order_id = o.after`;
    expect({ ...earners }).toEqual({ before: true, after: true });
    for (const [month, changes] of [
      ["2026-03", 1],
      ["2026-04", 0],
    ] as const) {
      await withBundle(sql, month, undefined, async (folder) => {
        expect(read(folder, "changes.jsonl").match(/"kind": ?"leave"/g) ?? []).toHaveLength(changes);
        expect(await check(folder)).toMatchObject({ findings: [], differences: [] });
      });
    }
  } finally {
    await sql.end();
    await database.drop();
  }
});
