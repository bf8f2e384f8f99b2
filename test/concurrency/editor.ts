import type postgres from "postgres";
import { Store } from "./store.ts";

export type Sql = postgres.Sql | postgres.TransactionSql;

/** A store with an administrator, who changes its content in several connections. */
export class Editor {
  private constructor(
    readonly store: Store,
    private readonly claims: string,
  ) {}

  static async open(): Promise<Editor> {
    const store = await Store.open();
    await store.sql`insert into auth.users (email_confirmed_at, id, email) values (now(), gen_random_uuid(), 'editor@example.com')`;
    const [admin] = await store.sql`select app.add_administrator('editor@example.com') as id`;
    return new Editor(store, JSON.stringify({ role: "store_admin", sub: admin!.id }));
  }

  /** Sends one request as the administrator. */
  async request(sql: Sql, name: string, args: object) {
    const [row] =
      await sql`select app.as_caller(${this.claims}::text::jsonb, ${name}, ${JSON.stringify(args)}::text::jsonb) as result`;
    return row!.result;
  }
}

/** The code of the error with which some work fails, or "done". */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );
