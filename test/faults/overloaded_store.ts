import type postgres from "postgres";
import { type Account, call, copyAccounts, signUp } from "../api/client.ts";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { HMAC_PAYMENTS } from "../support/hmac_payments.ts";

/** Limits of store_api, whose password tests do not know. */
const LIMITS = "statement_timeout=15000&lock_timeout=8000&idle_in_transaction_session_timeout=15000";

/** The response to a request, and how long it took. */
export interface Timed {
  status: number;
  code: string | undefined;
  retryAfter: number;
  ms: number;
}

/** Whether the caller is asked to come again. */
export const isPutOff = ({ status, retryAfter }: Timed): boolean => status === 503 && retryAfter > 0;

/** A store with two products and four members, whose requests go to an instance of `api` of its own. */
export class OverloadedStore {
  private constructor(
    private readonly clone: ClonedDatabase,
    readonly sql: postgres.Sql,
    readonly api: EdgeFunction,
    readonly hot: Account,
    readonly others: Account[],
  ) {}

  static async start(): Promise<OverloadedStore> {
    const clone = await cloneDatabase();
    const sql = connect(clone.url, { max: 2 });
    const [hot, ...others] = await Promise.all(["Hot", "Other", "Another", "Third"].map((name) => signUp(name)));
    await copyAccounts(sql, hot!, ...others);
    await sql`insert into app.products (title, price, is_queue_goods, stock) values ('Flagship', 3600, true, null), ('Limited', 10, false, 1000)`;
    await sql`update app.settings set orders_per_hour = 100000, cancellations_per_hour = 100000`;
    return new OverloadedStore(
      clone,
      sql,
      await serveEdgeFunction("api", `${clone.url}?${LIMITS}`, HMAC_PAYMENTS),
      hot!,
      others,
    );
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.sql.end();
    await this.clone.drop();
  }

  /** The address of the database, for a role of its own. */
  get url(): URL {
    return new URL(this.clone.url);
  }

  /** Opens another connection to the database. @param parameters settings of its session */
  connect(parameters = ""): postgres.Sql {
    return connect(this.clone.url + parameters);
  }

  async request(method: string, path: string, account?: Pick<Account, "token">, json?: unknown): Promise<Timed> {
    const begun = performance.now();
    const { status, body, headers } = await call(method, path, {
      base: this.api.base,
      ...(account && { token: account.token }),
      ...(json !== undefined && { json }),
    });
    return { status, code: body.code, retryAfter: Number(headers.get("retry-after")), ms: performance.now() - begun };
  }

  async productId(title: string): Promise<number> {
    return Number((await this.sql`select id from app.products where title = ${title}`)[0]!.id);
  }

  /** Runs `work` while another transaction holds rows. */
  async whileHeld(lock: (holder: postgres.Sql) => PromiseLike<unknown>, work: () => Promise<void>): Promise<void> {
    const holder = this.connect();
    try {
      await holder`begin`;
      await lock(holder);
      await work();
      await holder`rollback`;
    } finally {
      await holder.end();
    }
  }
}
