import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { SignJWT } from "jose";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Account, accountIdOf, call, copyAccounts, signUp } from "../api/client.ts";
import { lacking } from "../support/context.ts";
import {
  cloneDatabase,
  type ClonedDatabase,
  connect,
  type EdgeFunction,
  serveEdgeFunction,
  skipFor,
  stack,
  testSize,
} from "../support/index.ts";
import { HMAC_PAYMENTS, hmacNotification } from "../support/hmac_payments.ts";

/** Limits of store_api, whose password tests do not know. */
const LIMITS = "statement_timeout=15000&lock_timeout=8000&idle_in_transaction_session_timeout=15000";
const DEADLINE_MS = 20_000;
const BURST = 2000;
/** How many requests of visitors wait for a connection at most, and how many connections run them (functions/_shared/database/connections.ts). */
const [MOST_WAITING, CONNECTIONS] = [400, 3];
/** More than a burst was measured to take, and far less than an instance of an edge function has. */
const MOST_GROWTH_KB = 160 * 1024;

let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let hot: Account;
let others: Account[];

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url, { max: 2 });
  [hot, ...others] = (await Promise.all(["Hot", "Other", "Another", "Third"].map((name) => signUp(name)))) as [Account, ...Account[]];
  await copyAccounts(sql, hot, ...others);
  await sql`insert into app.products (title, price, is_queue_goods, stock) values ('Flagship', 3600, true, null), ('Limited', 10, false, 1000)`;
  await sql`update app.settings set orders_per_hour = 100000, cancellations_per_hour = 100000`;
  api = await serveEdgeFunction("api", `${clone.url}?${LIMITS}`, HMAC_PAYMENTS);
});
afterAll(async () => {
  await api?.stop();
  await sql?.end();
  await clone?.drop();
});

interface Timed {
  status: number;
  code: string | undefined;
  retryAfter: number;
  ms: number;
}

async function request(method: string, path: string, account?: Pick<Account, "token">, json?: unknown): Promise<Timed> {
  const begun = performance.now();
  const { status, body, headers } = await call(method, path, {
    base: api.base,
    ...(account && { token: account.token }),
    ...(json !== undefined && { json }),
  });
  return { status, code: body.code, retryAfter: Number(headers.get("retry-after")), ms: performance.now() - begun };
}

/** Adds members. @returns their tokens */
async function signUpMany(members: number): Promise<string[]> {
  const { supabase_url, jwt_secret } = stack();
  const accounts = await sql<
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
  expect((await call("POST", "/api/pay/notify/hmac", { base: api.base, init: hmacNotification(orderNo, amount) })).status).toBe(200);
}

const isPutOff = ({ status, retryAfter }: Timed) => status === 503 && retryAfter > 0;
const productId = async (title: string) => Number((await sql`select id from app.products where title = ${title}`)[0]!.id);

/** Runs `work` while another transaction holds rows. */
async function whileHeld(lock: (holder: postgres.Sql) => PromiseLike<unknown>, work: () => Promise<void>): Promise<void> {
  const holder = connect(clone.url);
  try {
    await holder`begin`;
    await lock(holder);
    await work();
    await holder`rollback`;
  } finally {
    await holder.end();
  }
}

/** The memory of the function in kB, now or at most. */
const memory = (field: "VmRSS" | "VmHWM") =>
  Number(readFileSync(`/proc/${api.pid}/status`, "utf8").match(new RegExp(`${field}:\\s+(\\d+)`))?.[1]);

const waiting = async () =>
  Number((await sql`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)[0]!.count);

/** Requests of members elsewhere, one after the other, for as long as the lock is held. */
async function useElsewhere(forMs: number): Promise<Timed[]> {
  const flagship = await productId("Flagship");
  const served: Timed[] = [];
  for (const begun = performance.now(); performance.now() - begun < forMs;) {
    for (const member of others) {
      served.push(await request("GET", "/api/hjf/assets/overview", member));
      served.push(await request("GET", "/api/product"));
      const order = await call("POST", "/api/order", {
        base: api.base,
        token: member.token,
        json: { items: [{ product_id: flagship, quantity: 1 }] },
      });
      expect(order.status).toBe(201);
      served.push(await request("PUT", `/api/order/${order.body.id}/cancel`, member));
    }
    served.push(await request("GET", "/api/health"));
  }
  return served;
}

skipFor(describe, lacking("linux"))("an overloaded edge function", { concurrent: false }, () => {
  it("serves or puts off each of 2,000 requests of visitors that arrive at once, and keeps no more than 400 of them waiting", async () => {
    await request("GET", "/api/product");
    const before = memory("VmRSS");
    let busy = 0;
    const burst: Promise<Timed>[] = [];
    await whileHeld(
      (holder) => holder`lock table app.products in access exclusive mode`,
      async () => {
        for (let sent = 0; sent < BURST; sent += 1) {
          burst.push(
            request("GET", "/api/product").then((outcome) => {
              if (outcome.code === "database_busy") busy += 1;
              return outcome;
            }),
          );
        }
        await vi.waitFor(() => expect(busy).toBeGreaterThanOrEqual(BURST - MOST_WAITING - CONNECTIONS), { timeout: 60_000 });
      },
    );
    const outcomes = await Promise.all(burst);
    expect(outcomes.filter((outcome) => outcome.status !== 200 && !isPutOff(outcome))).toEqual([]);
    expect(memory("VmHWM") - before).toBeLessThan(MOST_GROWTH_KB);
    // It has recovered when the burst is over.
    expect(await request("GET", "/api/health")).toMatchObject({ status: 200 });
  });

  it("records a payment before the orders that wait, of 2,000 that arrive at once, and refuses the others before those are placed", async () => {
    const tokens = await signUpMany(BURST / 5);
    const items = [{ product_id: await productId("Flagship"), quantity: 1 }];
    const { body: unpaid } = await call("POST", "/api/order", { base: api.base, token: tokens[0]!, json: { items } });
    const outcomes: Timed[] = [];
    const count = (code?: string) => outcomes.filter((outcome) => outcome.code === code).length;
    const sent: Promise<unknown>[] = [];
    await whileHeld(
      (holder) => holder`lock table app.products in access exclusive mode`,
      async () => {
        for (let order = 0; order < BURST; order += 1)
          sent.push(
            request("POST", "/api/order", { token: tokens[order % tokens.length]! }, { items }).then((outcome) => outcomes.push(outcome)),
          );
        // Then orders that wait have taken all places.
        await vi.waitFor(() => expect(count("database_busy")).toBeGreaterThan(BURST / 2), { timeout: 60_000 });
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
        await sql`
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
    const forged = ({ token }: Account) => request("GET", "/api/product", { token: token.replace(/[^.]+$/, "A".repeat(43)) });
    let busy = 0;
    const flood: Promise<unknown>[] = [];
    await whileHeld(
      (holder) => holder`lock table app.products in access exclusive mode`,
      async () => {
        for (let sent = 0; sent < 80; sent += 1)
          flood.push(
            request("GET", "/api/product", hot).then(({ code }) => {
              if (code === "database_busy") busy += 1;
            }),
          );
        await vi.waitFor(() => expect(busy).toBeGreaterThan(0));
        expect([await forged(hot), await forged(others[0]!)]).toMatchObject([
          { status: 503, code: "database_busy" },
          { status: 401, code: "invalid_token" },
        ]);
      },
    );
    await Promise.all(flood);
  });

  it("puts off what waits for a member's locked row, however often that member asks, and serves all others meanwhile", async () => {
    const account = await call("POST", "/api/account", {
      base: api.base,
      token: hot.token,
      json: { method: "bank", holder: "Payee", account_no: "1022000011112222", bank: "Bank" },
    });
    await whileHeld(
      (holder) =>
        holder`select from app.user_balances where uid = (select uid from app.users where auth_id = ${accountIdOf(hot)}) for update`,
      async () => {
        const flood = Array.from({ length: 40 }, () =>
          request("POST", "/api/withdrawal", hot, { amount: "10.00", method: "bank", account_id: account.body.id }),
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
    const limited = await productId("Limited");
    const orders: Promise<Timed>[] = [];
    await whileHeld(
      (holder) => holder`select from app.products where id = ${limited} for update`,
      async () => {
        for (let sent = 0; sent < 12; sent += 1)
          orders.push(request("POST", "/api/order", [hot, ...others][sent % 4], { items: [{ product_id: limited, quantity: 1 }] }));
        await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(1));
        for (let times = 0; times < 20; times += 1) {
          for (const path of ["/api/product", "/api/hjf/assets/overview", "/api/health"])
            expect(await request("GET", path, others[0])).toMatchObject({ status: 200 });
        }
      },
    );
    expect((await Promise.all(orders)).filter((outcome) => outcome.status !== 201 && !isPutOff(outcome))).toEqual([]);
  });

  it("ends a transaction that its client has left open, which frees its rows", async () => {
    const idle = connect(`${clone.url}?idle_in_transaction_session_timeout=200`);
    await idle`begin`;
    await idle`select from app.products where title = 'Limited' for update`;
    await vi.waitFor(async () => expect(await sql`select from app.products where title = 'Limited' for update nowait`).toHaveLength(1));
    await idle.end({ timeout: 1 });
  });

  it("gets database_busy from a server that has no connection left for its role", async () => {
    const name = `overload_${process.pid}`;
    await sql.unsafe(`create role ${name} login password 'overload' connection limit 2 in role store_api`);
    const url = new URL(clone.url);
    Object.assign(url, { username: name, password: "overload" });
    const crowded = await serveEdgeFunction("api", url.href, {});
    try {
      await whileHeld(
        (holder) => holder`lock table app.products in access exclusive mode`,
        async () => {
          const requests = Array.from({ length: 6 }, () => call("GET", "/api/product", { base: crowded.base }));
          const first = await Promise.race(requests);
          expect([first.status, first.body.code, first.headers.get("retry-after")]).toEqual([503, "database_busy", "1"]);
        },
      );
    } finally {
      await crowded.stop();
      await sql.unsafe(`drop role ${name}`);
    }
  });
});
