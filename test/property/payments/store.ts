import type postgres from "postgres";
import { createAdminApp } from "../../../functions/adminapi/app.ts";
import { createApiApp } from "../../../functions/api/app.ts";
import { createWorkerApp } from "../../../functions/worker/app.ts";
import { type Database, openDatabase } from "../../../functions/_shared/database/database.ts";
import type { Service } from "../../../functions/_shared/routes/service.ts";
import { connect } from "../../support/index.ts";

const WORKER_SECRET = "the secret of the worker in this test";

/** Ends a process: nothing that it wanted to do afterwards happens. */
class Crash extends Error {}

/** A database whose user crashes before or after its nth statement. */
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
    callForVisitor: (...args) => step(() => database.callForVisitor(...args)),
    callInBackground: (...args) => database.callInBackground(...args),
    position: () => database.position(),
    schema: () => database.schema(),
    isCrowded: (caller) => database.isCrowded(caller),
  };
}

/** The step before which no process crashes. */
export const NEVER = 1000;

interface Sending {
  json?: unknown;
  /** The raw body, in place of `json`. */
  body?: string;
  headers?: Record<string, string>;
  /** The number of steps after which the process crashes. */
  crash?: number;
  by?: "buyer" | "admin" | "nobody";
  /** The account that sends the request, in place of `by`. */
  account?: string;
}

/** The handlers of all edge functions on one database, with one product, one member and one administrator. */
export class Store {
  private constructor(
    readonly sql: postgres.Sql,
    private readonly database: Database,
    private readonly settings: ReadonlyMap<string, string>,
    private readonly accounts: { buyer: string; admin: string },
    readonly product: number,
  ) {}

  /** @param settings the variables of the edge functions */
  static async open(url: string, settings: Record<string, string>): Promise<Store> {
    const sql = connect(url);
    const account = async (name: string) =>
      (
        await sql`insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (now(), gen_random_uuid(), ${`${name}@example.com`}, '{}') returning id`
      )[0]!.id as string;
    const [buyer, admin] = [await account("buyer"), await account("admin")];
    await sql`select app.add_administrator(${admin})`;
    const [product] =
      await sql`insert into app.products (title, price, stock) values ('Tea', 10, 1000000) returning id::integer`;
    await sql`update app.settings set lifecycle_from = '2025-01-01', max_unpaid_orders = 1000, max_unpaid_units = 1000000, max_unpaid_share = 1, first_order_minutes = 129600, orders_per_hour = 100000, cancellations_per_hour = 100000, offline_payment_limit = 100000000`;
    const variables = new Map(
      Object.entries({ ...settings, SUPABASE_URL: "http://127.0.0.1", STORE_WORKER_SECRET: WORKER_SECRET }),
    );
    return new Store(
      sql,
      openDatabase({ url, pool: 1, prepare: false, applicationName: "test" }),
      variables,
      { buyer, admin },
      product!.id,
    );
  }

  /** Sends a request to a new process. @returns the body of the response */
  async send(
    method: string,
    path: string,
    {
      json,
      body = json === undefined ? undefined : JSON.stringify(json),
      headers,
      crash = NEVER,
      by = "buyer",
      account,
    }: Sending = {},
  ): Promise<unknown> {
    const claims =
      by === "nobody"
        ? {}
        : { sub: account ?? this.accounts[by], role: by === "admin" ? "store_admin" : "authenticated" };
    const service: Service = {
      database: crashing(this.database, crash),
      authentication: { authenticate: () => Promise.resolve(claims), claimedCaller: () => undefined },
      settle: () => {},
      work: () => {},
      env: this.settings,
      build: { version: "0", commit: null, runtime: "test" },
    };
    const app = path.startsWith("/api")
      ? createApiApp(service)
      : path.startsWith("/adminapi")
        ? createAdminApp(service)
        : createWorkerApp(service);
    const init = {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body }),
    };
    const response = await app.fetch(new Request(`http://store${path}`, init));
    const content = await response.json();
    if (response.status === 500 && crash === NEVER) throw new Error(`${method} ${path}: ${JSON.stringify(content)}`);
    return content;
  }

  /** Runs the worker with all waiting calls due. */
  async work(crash = NEVER): Promise<void> {
    await this.sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;
    await this.send("POST", "/worker/run", { headers: { "x-worker-secret": WORKER_SECRET }, by: "nobody", crash });
  }
}
