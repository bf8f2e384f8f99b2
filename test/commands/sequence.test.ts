import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "../concurrency/store.ts";
import { run } from "./run.ts";

let store: Store;
let referrer: number;
/** Two orders below the referrer: the one that was placed first was paid second, and settled first. */
let [placedFirst, paidFirst] = [0, 0];

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const reconcile = (...args: string[]) => run("reconcile", args, { DATABASE_URL: store.url });

/** Places, pays and settles an order. */
async function settled(uid: number, units: number, paidAt: Date, settledAt = paidAt): Promise<number> {
  const id = await store.order(uid, units, paidAt);
  await store.sql`select from app.pay_order(${id}, 'test', ${`test-${id}`}, ${paidAt})`;
  await store.sql`select from app.settle_order(${id}, ${settledAt})`;
  return id;
}

const commission = async () => (await store.balances(referrer)).brokerage_price;

describe("npm run reconcile -- --sequence", { concurrent: false }, () => {
  beforeAll(async () => {
    store = await Store.open();
    referrer = await store.signUp();
    await settled(referrer, 1, ago(60));
  });
  afterAll(() => store.close());

  it("finds nothing in a store whose orders were settled in the sequence of their payments", async () => {
    expect(await reconcile("--sequence")).toMatchObject({
      code: 0,
      output: expect.stringContaining("All orders were settled in the sequence of their payments."),
    });
  });

  it("lists the orders of a batch that was settled in the sequence of ids, and for each member what the sequence of payments pays", async () => {
    const [one, two] = [await store.signUp(referrer), await store.signUp(referrer)];
    placedFirst = await settled(one, 1, ago(20), ago(10));
    // At the time of the same call, as before batches were stored.
    const [{ settled_at }] =
      (await store.sql`select settled_at from app.settlements where order_id = ${placedFirst}`) as unknown as [
        { settled_at: Date },
      ];
    paidFirst = await settled(two, 2, ago(30), settled_at);
    await store.sql`update app.settlements set batch = null where order_id in (${placedFirst}, ${paidFirst})`;
    // Booked were 20 % of 3,600 and 30 % of 7,200; right are 20 % of 7,200 and 30 % of 3,600.
    expect(await commission()).toBe("2880.00");
    const [text, json] = [await reconcile("--sequence"), await reconcile("--sequence", "--json")];
    expect(text).toMatchObject({
      code: 1,
      output: expect.stringMatching(new RegExp(`^ *${referrer} .* -360\\.00 +-360$`, "m")),
    });
    expect(text.output).toContain("Run the command with --adjust");
    expect(json.code).toBe(1);
    const found = JSON.parse(json.output);
    expect(found).toEqual({
      orders: [
        expect.objectContaining({ order_id: String(placedFirst) }),
        expect.objectContaining({ order_id: String(paidFirst) }),
      ],
      members: [{ uid: String(referrer), nickname: expect.any(String), commission: "-360.00", points: "-360" }],
      adjustments: [],
    });
    const [first, second] = found.orders as { position: string; paid_position: string }[];
    expect([first!.position, second!.position]).toEqual([second!.paid_position, first!.paid_position]);
    // Nothing is booked without --adjust.
    expect(await commission()).toBe("2880.00");
  });

  it("rejects a replay of more orders than --max allows", async () => {
    expect(await reconcile("--sequence", "--max", "1")).toMatchObject({
      code: 2,
      output: expect.stringContaining("simulation_too_large"),
    });
  });

  it("adjusts the balances by the differences with --adjust, once", async () => {
    const adjusted = await reconcile("--sequence", "--adjust");
    expect(adjusted).toMatchObject({
      code: 0,
      output: expect.stringMatching(new RegExp(`^Adjustment \\d+ of member ${referrer}: booked$`, "m")),
    });
    expect(await commission()).toBe("2520.00");
    expect(await store.findings()).toEqual([]);

    const again = await reconcile("--sequence", "--adjust", "--json");
    expect([again.code, JSON.parse(again.output)]).toMatchObject([
      0,
      { orders: [{}, {}], members: [], adjustments: [] },
    ]);
    expect(await reconcile("--sequence")).toMatchObject({
      code: 0,
      output: expect.stringContaining("it is adjusted already"),
    });
    expect(await commission()).toBe("2520.00");
    expect(await store.sql`select brokerage_delta, frozen_delta, state from app.adjustments`).toEqual([
      { brokerage_delta: "-360.00", frozen_delta: "-360.0000", state: "booked" },
    ]);
  });

  it.each([
    [["--adjust"], "--adjust needs --sequence."],
    [["--max", "5"], "--max needs --sequence."],
    [["--sequence", "--max", "0"], "It must be a whole number from 1"],
    [["--sequence", "--max", "many"], "It must be a whole number from 1"],
    [["--sequence", "surprise"], "too many arguments"],
  ])("rejects %j with status 2", async (args, message) => {
    expect(await reconcile(...args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  });
});
