import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { vi } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect } from "../support/index.ts";

/** Polls until a condition that depends on other sessions is true. */
export const until = (isTrue: () => Promise<boolean>) => vi.waitUntil(isTrue, { interval: 10 });

/** A separate store with one product, for tests with many concurrent connections. */
export class Store {
  private constructor(
    private readonly clone: ClonedDatabase,
    /** Up to 24 connections. Each query may use a different one. */
    readonly sql: postgres.Sql,
    readonly product: number,
  ) {}

  /** The address of its database, for role postgres. */
  get url(): string {
    return this.clone.url;
  }

  static async open(): Promise<Store> {
    const clone = await cloneDatabase();
    const sql = connect(clone.url, { max: 24 });
    const [product] =
      await sql`insert into app.products (title, price, is_queue_goods) values ('Flagship', 3600, true) returning id`;
    return new Store(clone, sql, Number(product?.id));
  }

  async close(): Promise<void> {
    await this.sql.end();
    await this.clone.drop();
  }

  /** Opens another connection, to hold a lock or to be killed. */
  connection(): postgres.Sql {
    return connect(this.clone.url);
  }

  async signUp(spread?: number): Promise<number> {
    const [row] = await this.sql`
      with account as (
        insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data)
        select now(), g.id, g.id || '@example.com', jsonb_build_object('spread', ${spread ?? null}::bigint) from (select gen_random_uuid() as id) as g
        returning id
      )
      select id from account`;
    const [user] = await this.sql`select uid from app.users where auth_id = ${row?.id}`;
    return Number(user?.uid);
  }

  async order(uid: number, quantity = 1, at: Date | null = null): Promise<number> {
    const [row] = await this
      .sql`select (app.create_order(${uid}, ${this.sql.json([{ product_id: this.product, quantity }])}, ${at})).id`;
    return Number(row?.id);
  }

  async buy(uid: number, quantity = 1): Promise<number> {
    const id = await this.order(uid, quantity);
    await this.sql`select from app.pay_order(${id}, 'test', ${`test-${id}`}, clock_timestamp())`;
    return id;
  }

  /** Creates a member with an own settled order, who is therefore eligible. */
  async reporter(spread?: number): Promise<number> {
    const uid = await this.signUp(spread);
    await this.settle(await this.buy(uid));
    return uid;
  }

  settle(id: number) {
    return this.sql`select from app.settle_order(${id}, clock_timestamp())`;
  }

  async balances(uid: number): Promise<Record<string, string>> {
    const [row] = await this.sql`select * from app.user_balances where uid = ${uid}`;
    return row as Record<string, string>;
  }

  /** What reconcile() finds. Tests release days that have not come. */
  async findings(): Promise<object[]> {
    return [
      ...(await this
        .sql`select * from app.reconcile() where check_name not in ('release_day_has_come', 'no_row_is_from_the_future')`),
    ];
  }

  async deadlocks(): Promise<number> {
    const [row] = await this.sql`select deadlocks from pg_stat_database where datname = current_database()`;
    return Number(row?.deadlocks);
  }

  /**
   * Waits until the given number of sessions of this database wait for a lock. Without the lock, they never do: the
   * test then fails here.
   */
  async untilWaiting(count: number): Promise<void> {
    const end = Date.now() + 20_000;
    for (;;) {
      const [row] = await this
        .sql`select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      if (row?.waiting >= count) return;
      if (Date.now() > end) throw new Error(`${row?.waiting} instead of ${count} sessions wait for a lock.`);
      await pause(5);
    }
  }

  /**
   * Waits until a session of this database sleeps, as one does whose attempt to take locks has failed and is repeated.
   */
  async untilPausing(): Promise<void> {
    await until(
      async () =>
        (await this.sql`select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`)
          .length > 0,
    );
  }

  /** Starts all work at the same time: each piece waits at a barrier until all have reached it. */
  async together<T>(works: ((sql: postgres.Sql) => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    const gate = this.connection();
    await gate`select pg_advisory_lock(1)`;
    const results = Promise.allSettled(
      works.map(async (work) => {
        const sql = this.connection();
        try {
          await sql`select pg_advisory_lock_shared(1)`;
          return await work(sql);
        } finally {
          await sql.end();
        }
      }),
    );
    try {
      await this.untilWaiting(works.length);
    } finally {
      await gate.end();
    }
    return results;
  }
}
