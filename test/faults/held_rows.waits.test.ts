import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { accountIdOf, call } from "../api/client.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { skipFor, testSize } from "../support/index.ts";
import { isPutOff, OverloadedStore, type Timed } from "./overloaded_store.ts";

const DEADLINE_MS = 20_000;

let store: OverloadedStore;

beforeAll(async () => {
  store = await OverloadedStore.start();
});
afterAll(() => store?.stop());

const waiting = async () =>
  Number(
    (
      await store.sql`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    )[0]!.count,
  );

/** Requests of members elsewhere, one after the other, for as long as the lock is held. */
async function useElsewhere(forMs: number): Promise<Timed[]> {
  const flagship = await store.productId("Flagship");
  const served: Timed[] = [];
  for (const begun = performance.now(); performance.now() - begun < forMs;) {
    for (const member of store.others) {
      served.push(await store.request("GET", "/api/hjf/assets/overview", member));
      served.push(await store.request("GET", "/api/product"));
      const order = await call("POST", "/api/order", {
        base: store.api.base,
        token: member.token,
        json: { items: [{ product_id: flagship, quantity: 1 }] },
      });
      expect(order.status).toBe(201);
      served.push(await store.request("PUT", `/api/order/${order.body.id}/cancel`, member));
    }
    served.push(await store.request("GET", "/api/health"));
  }
  return served;
}

skipFor(describe, lacking("linux"))("an edge function, while a row is held,", { concurrent: false }, () => {
  // Guarantee faults/load-shares
  it("puts off what waits for a member's locked row, however often that member asks, and serves all others meanwhile", async () => {
    const account = await call("POST", "/api/account", {
      base: store.api.base,
      token: store.hot.token,
      json: { method: "bank", holder: "Payee", account_no: "1022000011112222", bank: "Bank" },
    });
    await store.whileHeld(
      (holder) =>
        holder`select from app.user_balances where uid = (select uid from app.users where auth_id = ${accountIdOf(store.hot)}) for update`,
      async () => {
        const flood = Array.from({ length: 40 }, () =>
          store.request("POST", "/api/withdrawal", store.hot, {
            amount: "10.00",
            method: "bank",
            account_id: account.body.id,
          }),
        );
        await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0));
        const served = await useElsewhere(testSize.lockMs);
        expect(served.filter(({ status }) => status !== 200)).toEqual([]);
        expect(Math.max(...served.map(({ ms }) => ms))).toBeLessThan(5000);
        const outcomes = await Promise.all(flood);
        expect(outcomes.filter((outcome) => !isPutOff(outcome))).toEqual([]);
        expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(DEADLINE_MS + 5000);
      },
    );
  });

  it("serves reads while orders of many members wait for the row of one product", async () => {
    const limited = await store.productId("Limited");
    const orders: Promise<Timed>[] = [];
    await store.whileHeld(
      (holder) => holder`select from app.products where id = ${limited} for update`,
      async () => {
        for (let sent = 0; sent < 12; sent += 1)
          orders.push(
            store.request("POST", "/api/order", [store.hot, ...store.others][sent % 4], {
              items: [{ product_id: limited, quantity: 1 }],
            }),
          );
        await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(1));
        for (let times = 0; times < 20; times += 1) {
          for (const path of ["/api/product", "/api/hjf/assets/overview", "/api/health"])
            expect(await store.request("GET", path, store.others[0])).toMatchObject({ status: 200 });
        }
      },
    );
    expect((await Promise.all(orders)).filter((outcome) => outcome.status !== 201 && !isPutOff(outcome))).toEqual([]);
  });

  it("ends a transaction that its client has left open, which frees its rows", async () => {
    const idle = store.connect(`?idle_in_transaction_session_timeout=200`);
    await idle`begin`;
    await idle`select from app.products where title = 'Limited' for update`;
    await vi.waitFor(async () =>
      expect(await store.sql`select from app.products where title = 'Limited' for update nowait`).toHaveLength(1),
    );
    await idle.end({ timeout: 1 });
  });
});
