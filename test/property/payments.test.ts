import fc from "fast-check";
import type postgres from "postgres";
import { expect, test, vi } from "vitest";
import { createAdminApp } from "../../functions/adminapi/app.ts";
import { createApiApp } from "../../functions/api/app.ts";
import { createWorkerApp } from "../../functions/worker/app.ts";
import { type Database, openDatabase } from "../../functions/_shared/database.ts";
import type { Service } from "../../functions/_shared/service.ts";
import { cloneDatabase, connect, seed, testSize } from "../support/index.ts";
import { type Fault, FakePayments } from "../support/fake_payments.ts";

// Random histories of payments and refunds against the real handlers, in which the process stops after any step and the provider loses
// calls and answers, notifies late, twice, early or never, and takes money for closed payments. At the end everything that is lost is
// repeated, and then: every order is paid at most once, every refund is paid exactly once, and the store knows about all money.
const SEED = seed();
const HISTORIES = Math.ceil(testSize.histories / 6);
const SECRET = "the secret of the worker in this test";

/** Stops a process: from here on, nothing that it wants to do happens. */
class Crash extends Error {}

/** A database whose user stops before its nth statement, or just after it. */
function crashing(database: Database, after: number): Database {
  let steps = 0;
  const step = async (call: () => Promise<string>) => {
    if (steps++ >= after) throw new Crash();
    const result = await call();
    if (steps++ >= after) throw new Crash();
    return result;
  };
  return {
    callAsCaller: (...args) => step(() => database.callAsCaller(...args)),
    callAsService: (...args) => step(() => database.callAsService(...args)),
    callInBackground: (...args) => database.callInBackground(...args),
  };
}

const NEVER = 1000;
const action = fc.record({
  do: fc.constantFrom(
    "order", "paid order", "paid order", "start", "start", "payer pays", "payer pays", "notify", "notify", "read", "cancel", "expire", "work", "work", "work",
    "pay offline", "refund", "refund", "refund", "refund unclaimed", "late money",
  ),
  pick: fc.nat(99),
  fault: fc.constantFrom<Fault>("none", "none", "none", "lost", "lost answer", "html", "refused"),
  servedBeforeFault: fc.nat(3),
  crash: fc.oneof(fc.constant(NEVER), fc.nat(7)),
});
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** A store with one member, one administrator and one provider. */
class World {
  readonly provider = new FakePayments();
  private readonly orders: number[] = [];

  private constructor(readonly sql: postgres.Sql, private readonly database: Database, private readonly ids: { buyer: string; admin: string; product: number }) {}

  static async open(url: string): Promise<World> {
    const sql = connect(url);
    const account = async (name: string) => (await sql`insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), ${`${name}@example.com`}, '{}') returning id`)[0]!.id as string;
    const [buyer, admin] = [await account("buyer"), await account("admin")];
    await sql`select app.add_administrator(${admin})`;
    const [product] = await sql`insert into app.products (title, price, stock) values ('Tea', 10, 1000000) returning id::integer`;
    await sql`update app.settings set lifecycle_from = '2026-01-01', max_unpaid_orders = 1000`;
    const world = new World(sql, openDatabase({ url, pool: 1, prepare: false, applicationName: "test" }), { buyer, admin, product: product!.id });
    await world.provider.start().then((settings) => (world.settings = new Map(Object.entries({ ...settings, SUPABASE_URL: "http://127.0.0.1", STORE_WORKER_SECRET: SECRET }))));
    return world;
  }

  private settings = new Map<string, string>();

  async close(): Promise<void> {
    await this.provider.stop();
    await this.sql.end();
  }

  /** Sends a request to a new process, which stops after some steps. */
  private async send(method: string, path: string, { json, headers, crash = NEVER, by = "buyer" }: { json?: unknown; headers?: Record<string, string>; crash?: number; by?: "buyer" | "admin" | "nobody" } = {}): Promise<unknown> {
    const claims = by === "nobody" ? {} : { sub: this.ids[by], role: by === "admin" ? "store_admin" : "authenticated" };
    const service: Service = {
      database: crashing(this.database, crash), authenticate: () => Promise.resolve(claims), settle: () => {}, work: () => {}, env: { get: (name) => this.settings.get(name) },
      build: { version: "0", commit: null, runtime: "test" },
    };
    const app = path.startsWith("/api") ? createApiApp(service) : path.startsWith("/adminapi") ? createAdminApp(service) : createWorkerApp(service);
    const body = json === undefined ? {} : { body: typeof json === "string" ? json : JSON.stringify(json) };
    const response = await app.fetch(new Request(`http://store${path}`, { method, headers: { "content-type": "application/json", ...headers }, ...body }));
    const answer = await response.json() as { code?: string };
    if (response.status === 500 && crash === NEVER) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async perform({ do: what, pick, fault, servedBeforeFault, crash }: Action): Promise<void> {
    const order = this.orders[pick % Math.max(1, this.orders.length)];
    const payments = this.provider.ledger.all().payments;
    const payment = payments[pick % Math.max(1, payments.length)];
    this.provider.fault = fault;
    this.provider.servedBeforeFault = servedBeforeFault;
    if (what === "order" || order === undefined) {
      await this.place(1 + pick % 3);
    } else if (what === "paid order") await this.placeAndPay();
    else if (what === "start") await this.send("POST", `/api/order/${order}/pay`, { json: { provider: "local", method: "local" }, crash });
    else if (what === "read") {
      await this.sql`update app.payment_attempts set queried_at = null`;
      await this.send("GET", `/api/order/${order}/payment`, { crash });
    } else if (what === "cancel") await this.send("PUT", `/api/order/${order}/cancel`, { crash });
    else if (what === "pay offline") await this.send("PUT", `/adminapi/order/${order}/pay`, { by: "admin", crash });
    else if (what === "refund") await this.send("PUT", `/adminapi/order/${order}/refund`, { json: { refund_ref: `refund ${pick % 3}` }, by: "admin", crash });
    else if (what === "refund unclaimed") await this.refundUnclaimed(pick, crash);
    else if (what === "payer pays" && payment) this.provider.ledger.pay(payment.token);
    else if (what === "late money" && payment?.state === "closed" && payment.amountMinor > 0) this.provider.ledger.takeAnyway(payment.attemptNo);
    else if (what === "notify" && payment?.state === "paid") await this.notify(payment.attemptNo, crash);
    else if (what === "work") await this.work(crash);
    else if (what === "expire") {
      await this.sql`update app.payment_attempts set expires_at = greatest(add_time + interval '1 ms', expires_at - interval '25 minutes')`;
      await this.sql`call app.expire_orders(clock_timestamp() + interval '10 minutes')`;
    }
  }

  private async place(quantity: number): Promise<number> {
    const { id } = await this.send("POST", "/api/order", { json: { items: [{ product_id: this.ids.product, quantity }] } }) as { id: number };
    this.orders.push(id);
    return id;
  }

  /** An order whose payment goes well, so that histories reach what comes after it. */
  private async placeAndPay(): Promise<void> {
    this.provider.fault = "none";
    const id = await this.place(2);
    const { attempt_no } = await this.send("POST", `/api/order/${id}/pay`, { json: { provider: "local", method: "local" } }) as { attempt_no: string };
    this.provider.pay(attempt_no);
    await this.notify(attempt_no, NEVER);
  }

  /** Repeats whatever was lost, until nothing is left to do. */
  async heal(): Promise<void> {
    this.provider.fault = "none";
    await this.sql`update app.payment_attempts set expires_at = greatest(add_time + interval '1 ms', least(expires_at, clock_timestamp()))`;
    for (let round = 0; round < 4; round += 1) await this.work(NEVER);
    for (const { attemptNo, state } of this.provider.ledger.all().payments) if (state === "paid") await this.notify(attemptNo, NEVER);
    for (let round = 0; round < 4; round += 1) await this.work(NEVER);
    for (const failed of await this.sql`select max(id) as id from app.provider_refunds group by pay_ref, refund_id having bool_and(state = 'failed')`) {
      await this.send("PUT", `/adminapi/payment/refund/${failed.id}/retry`, { by: "admin" });
    }
    for (let round = 0; round < 4; round += 1) await this.work(NEVER);
  }

  private async work(crash: number): Promise<void> {
    await this.sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;
    await this.send("POST", "/worker/run", { headers: { "x-worker-secret": SECRET }, by: "nobody", crash });
  }

  private async notify(attemptNo: string, crash: number): Promise<void> {
    const { body, headers } = this.provider.notification(attemptNo);
    await this.send("POST", "/api/pay/notify/local", { json: body, headers, by: "nobody", crash });
  }

  private async refundUnclaimed(pick: number, crash: number): Promise<void> {
    const waiting = await this.sql`select id from app.payment_notifications where outcome = 'attention' order by id`;
    const chosen = waiting[pick % Math.max(1, waiting.length)];
    if (chosen) await this.send("PUT", `/adminapi/payment/notification/${chosen.id}/refund`, { by: "admin", crash });
  }

  /** What is wrong after everything was repeated. */
  async faults(): Promise<unknown[]> {
    const { payments, refunds } = this.provider.ledger.all();
    const faults: unknown[] = [...(await this.sql`select * from app.reconcile()`)];
    faults.push(...await this.sql`select * from app.outbox`, ...await this.sql`select * from app.payment_attempts where state = 'open'`);
    for (const { attemptNo, state, transactionId } of payments) {
      const [known] = await this.sql`
        select
          (select count(*)::int from app.orders where pay_ref = ${transactionId}) as paid,
          (select count(*)::int from app.payment_notifications where pay_ref = ${transactionId} and outcome = 'attention') as attention
      `;
      const isKnown = state !== "paid" || (known!.paid === 1) !== (known!.attention > 0);
      if (!isKnown) faults.push({ attemptNo, transactionId, ...known });
    }
    for (const row of await this.sql`
      select r.payment_no, r.pay_ref, sum(r.amount * 100)::int as wanted from app.provider_refunds as r where r.state <> 'failed' group by r.payment_no, r.pay_ref`) {
      const given = refunds.filter(({ attemptNo, state }) => attemptNo === row.payment_no && state === "succeeded").reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      if (given !== row.wanted) faults.push({ ...row, given });
    }
    return faults;
  }
}

test(`money is never lost, taken or given twice, whatever stops and whatever is lost (seed ${SEED})`, async () => {
  const database = await cloneDatabase();
  const world = await World.open(database.url);
  // The log lines of thousands of requests.
  const logs = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((log) => log.mockImplementation(() => undefined));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40, size: "max" }), async (actions) => {
        for (const each of actions) await world.perform(each);
        await world.heal();
        expect(await world.faults()).toEqual([]);
      }),
      { seed: SEED, numRuns: HISTORIES, endOnFailure: true },
    );
  } finally {
    for (const log of logs) log.mockRestore();
    await world.close();
    await database.drop();
  }
}, 60 * 60_000);
