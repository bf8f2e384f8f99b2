import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Account, call } from "../api/client.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { serveEdgeFunction, skipFor, stack } from "../support/index.ts";
import { hmacNotification } from "../support/hmac_payments.ts";
import { isPutOff, OverloadedStore, type Timed } from "./overloaded_store.ts";

const BURST = 2000;
/**
 * How many requests of visitors wait for a connection at most, and how many connections run them
 * (functions/_shared/database/connections.ts).
 */
const [MOST_WAITING, CONNECTIONS] = [400, 3];
/** More than a burst was measured to take, and far less than an instance of an edge function has. */
const MOST_GROWTH_KB = 160 * 1024;

let store: OverloadedStore;

beforeAll(async () => {
  store = await OverloadedStore.start();
});
afterAll(() => store?.stop());

/** Adds members. @returns their tokens */
async function signUpMany(members: number): Promise<string[]> {
  const { supabase_url, jwt_secret } = stack();
  const accounts = await store.sql<
    { id: string }[]
  >`insert into auth.users (id, email, email_confirmed_at) select gen_random_uuid(), format('buyer%s@example.com', n), now() from generate_series(1, ${members}) as n returning id`;
  return Promise.all(
    accounts.map(({ id }) =>
      new SignJWT({ sub: id, role: "authenticated", aud: "authenticated", iss: `${supabase_url}/auth/v1` })
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime("1h")
        .sign(new TextEncoder().encode(jwt_secret)),
    ),
  );
}

/** Sends the provider's notification of a payment. */
async function pay(orderNo: string, amount: number): Promise<void> {
  expect(
    (await call("POST", "/api/pay/notify/hmac", { base: store.api.base, init: hmacNotification(orderNo, amount) }))
      .status,
  ).toBe(200);
}

/** The memory of the function in kB, now or at most. */
const memory = (field: "VmRSS" | "VmHWM") =>
  Number(readFileSync(`/proc/${store.api.pid}/status`, "utf8").match(new RegExp(`${field}:\\s+(\\d+)`))?.[1]);

skipFor(describe, lacking("linux"))("an overloaded edge function", { concurrent: false }, () => {
  // Guarantee faults/load-burst: A burst of requests takes bounded memory
  // By: a limit of connections and waiting places, functions/_shared/database/connections.ts
  it("serves or puts off each of 2,000 requests of visitors that arrive at once, and keeps no more than 400 of them waiting", async () => {
    await store.request("GET", "/api/product");
    const before = memory("VmRSS");
    let busy = 0;
    const burst: Promise<Timed>[] = [];
    await store.whileHeld(
      (holder) => holder`lock table app.products in access exclusive mode`,
      async () => {
        for (let sent = 0; sent < BURST; sent += 1) {
          burst.push(
            store.request("GET", "/api/product").then((outcome) => {
              if (outcome.code === "database_busy") busy += 1;
              return outcome;
            }),
          );
        }
        await vi.waitFor(() => expect(busy).toBeGreaterThanOrEqual(BURST - MOST_WAITING - CONNECTIONS));
      },
    );
    const outcomes = await Promise.all(burst);
    expect(outcomes.filter((outcome) => outcome.status !== 200 && !isPutOff(outcome))).toEqual([]);
    expect(memory("VmHWM") - before).toBeLessThan(MOST_GROWTH_KB);
    // It has recovered when the burst is over.
    expect(await store.request("GET", "/api/health")).toMatchObject({ status: 200 });
  });

  // Guarantee faults/load-payments-first
  it("records a payment before the orders that wait, of 2,000 that arrive at once, and refuses the others before those are placed", async () => {
    const tokens = await signUpMany(BURST / 5);
    const items = [{ product_id: await store.productId("Flagship"), quantity: 1 }];
    const { body: unpaid } = await call("POST", "/api/order", {
      base: store.api.base,
      token: tokens[0]!,
      json: { items },
    });
    const outcomes: Timed[] = [];
    const count = (code?: string) => outcomes.filter((outcome) => outcome.code === code).length;
    const sent: Promise<unknown>[] = [];
    await store.whileHeld(
      (holder) => holder`lock table app.products in access exclusive mode`,
      async () => {
        for (let order = 0; order < BURST; order += 1)
          sent.push(
            store
              .request("POST", "/api/order", { token: tokens[order % tokens.length]! }, { items })
              .then((outcome) => outcomes.push(outcome)),
          );
        // Then orders that wait have taken all places.
        await vi.waitFor(() => expect(count("database_busy")).toBeGreaterThan(BURST / 2));
        sent.push(pay(unpaid.order_no, 360000));
        // Until the payment has arrived.
        await pause(300);
      },
    );
    await Promise.all(sent);
    const placed = count();
    // By the clock of the database, because this process reads responses late while it is busy.
    const placedAfterPayment = Number(
      (
        await store.sql`
            select count(*) from app.orders as o
            where o.add_time > (select p.paid_at from app.orders as p where p.order_no = ${unpaid.order_no})`
      )[0]!.count,
    );
    expect(placed).toBeGreaterThan(100);
    expect(outcomes.filter((outcome) => outcome.status !== 201 && !isPutOff(outcome))).toEqual([]);
    const placedAtLastRefusal = outcomes
      .slice(
        0,
        outcomes.findLastIndex(({ code }) => code === "database_busy"),
      )
      .filter(({ status }) => status === 201).length;
    expect({ placed, placedAfterPayment, placedAtLastRefusal }).toEqual({
      placed,
      placedAfterPayment: expect.toSatisfy((orders: number) => orders > (placed * 3) / 4),
      placedAtLastRefusal: expect.toSatisfy((orders: number) => orders < placed / 2),
    });
  });

  it("refuses a member of whom too much waits before it verifies their token, and nobody else", async () => {
    const forged = ({ token }: Account) =>
      store.request("GET", "/api/product", { token: token.replace(/[^.]+$/, "A".repeat(43)) });
    let busy = 0;
    const flood: Promise<unknown>[] = [];
    await store.whileHeld(
      (holder) => holder`lock table app.products in access exclusive mode`,
      async () => {
        for (let sent = 0; sent < 80; sent += 1)
          flood.push(
            store.request("GET", "/api/product", store.hot).then(({ code }) => {
              if (code === "database_busy") busy += 1;
            }),
          );
        await vi.waitFor(() => expect(busy).toBeGreaterThan(0));
        expect([await forged(store.hot), await forged(store.others[0]!)]).toMatchObject([
          { status: 503, code: "database_busy" },
          { status: 401, code: "invalid_token" },
        ]);
      },
    );
    await Promise.all(flood);
  });

  it("gets database_busy from a server that has no connection left for its role", async () => {
    const name = `overload_${process.pid}`;
    await store.sql.unsafe(`create role ${name} login password 'overload' connection limit 2 in role store_api`);
    const url = store.url;
    Object.assign(url, { username: name, password: "overload" });
    const crowded = await serveEdgeFunction("api", url.href, {});
    try {
      await store.whileHeld(
        (holder) => holder`lock table app.products in access exclusive mode`,
        async () => {
          const requests = Array.from({ length: 6 }, () => call("GET", "/api/product", { base: crowded.base }));
          const first = await Promise.race(requests);
          expect([first.status, first.body.code, first.headers.get("retry-after")]).toEqual([
            503,
            "database_busy",
            "1",
          ]);
        },
      );
    } finally {
      await crowded.stop();
      await store.sql.unsafe(`drop role ${name}`);
    }
  });
});
