import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacking } from "../../scripts/testing/context.ts";
import { type ClonedDatabase, cloneDatabase, connect, longFormOnly, seed, skipFor } from "../support/index.ts";

/** Ids of others begin here, and their texts have this mark, so that a result shows whose it is. */
const OTHERS = 7_310_000_000;
const MARK = "mark-of-others";
/** How many random statements of a member must return rows. */
const STATEMENTS_WITH_ROWS = 300;
const isForeign = (text: string) => text.includes(MARK) || /(?<!\d)7310\d{6}(?!\d)/.test(text);

/** A store with one member and, with ids and texts that show it, others. @returns the claims of the member */
async function fill(sql: postgres.Sql): Promise<string> {
  await sql.unsafe(readFileSync(new URL("fixture.sql", import.meta.url), "utf8"));
  await sql.unsafe(`
    with added as (insert into app.products (title, price, is_queue_goods, is_show) values ('Goods', 3600.00, true, true) returning id) insert into outside.ids select 'goods', id from added;
    select outside.member('self');
    select outside.order('mine', 'self', true);
    select app.settle_order(outside.id('mine'), now());
    do $$
    declare
      v_column record;
    begin
      -- The ids of what everybody may see, such as products, stay.
      for v_column in
        select c.table_schema, c.table_name, c.column_name from information_schema.columns as c
        where c.table_schema = 'app' and c.is_identity = 'YES' and c.data_type = 'bigint' and exists (
          select from information_schema.columns as o where o.table_schema = 'app' and o.table_name = c.table_name and o.column_name in ('uid', 'order_id')
        )
      loop
        perform setval(pg_get_serial_sequence(format('%I.%I', v_column.table_schema, v_column.table_name), v_column.column_name), ${OTHERS});
      end loop;
    end $$;
    delete from outside.ids where name = 'goods';
    select outside.prepare();
    update app.users set nickname = '${MARK}', phone = '${MARK}' where uid > ${OTHERS};
    update app.orders set remark = '${MARK}' where id > ${OTHERS};
    select app.settle_order(outside.id('first'), now());
    drop schema outside cascade`);
  const [self] = await sql`select u.uid, u.auth_id from app.users as u where u.uid < ${OTHERS}`;
  return JSON.stringify({ sub: self!.auth_id as string, role: "authenticated" });
}

/** Removes from a copy what the role cannot use, so that statements are made of the rest. */
const REDUCE = `do $$
declare
  v_name text;
begin
  for v_name in
    select format('drop function if exists %s cascade', p.oid::regprocedure) from pg_proc as p
    where p.pronamespace in (select n.oid from pg_namespace as n where n.nspname !~ '^pg_') and p.prokind = 'f' and not has_function_privilege('authenticated', p.oid, 'execute')
    union all
    select format('drop table if exists %s cascade', c.oid::regclass) from pg_class as c
    where c.relnamespace in (select n.oid from pg_namespace as n where n.nspname !~ '^pg_') and c.relkind in ('r', 'p') and not has_table_privilege('authenticated', c.oid, 'select')
  loop
    begin
      execute v_name;
    exception when others then
      null;
    end;
  end loop;
end
$$`;

/** The statements of SQLsmith for a database, without end. */
async function* statementsOf(url: string, first: number): AsyncGenerator<string> {
  const { hostname, port, pathname, username, password } = new URL(url);
  const target = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)}`;
  const smith = spawn("sqlsmith", ["--dry-run", "--exclude-catalog", `--seed=${first}`, `--target=${target}`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    let statement = "";
    for await (const line of createInterface({ input: smith.stdout })) {
      statement += `${line}\n`;
      if (!line.endsWith(";")) continue;
      yield statement;
      statement = "";
    }
  } finally {
    smith.kill();
  }
}

// SQLsmith makes random statements of everything in a database. A member runs them with the rights that the data API
// gives.
skipFor(describe, lacking("judges"))("random statements of a member", () => {
  let store: ClonedDatabase;
  let reduced: ClonedDatabase;
  let sql: postgres.Sql;
  let claims: string;
  beforeAll(async () => {
    [store, reduced] = await Promise.all([cloneDatabase(), cloneDatabase()]);
    sql = connect(store.url);
    claims = await fill(sql);
    const copy = connect(reduced.url);
    await copy.unsafe(REDUCE);
    await copy.end();
  });
  afterAll(async () => {
    await sql.end();
    await Promise.all([store.drop(), reduced.drop()]);
  });

  /** Runs a statement as the member, and takes it back. @returns its rows, undefined if it fails */
  async function run(statement: string): Promise<unknown[] | undefined> {
    let rows: unknown[] | undefined;
    const undo = new Error("undo");
    await sql
      .begin(async (transaction) => {
        await transaction.unsafe("set local statement_timeout = '2s'; set local role authenticated");
        await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
        rows = [...(await transaction.unsafe(statement))];
        throw undo;
      })
      .catch((error: unknown) => {
        // A statement may fail in any way. A lost connection is no statement.
        if (error !== undo && (error as Error).name !== "PostgresError") throw error;
      });
    return rows;
  }

  it("see the member's own rows, so that a foreign one would be seen, too", async () => {
    expect(JSON.stringify(await run("select * from app.users"))).not.toMatch(MARK);
    expect(await run("select * from app.orders")).toHaveLength(1);
    const everything = await sql`select * from app.users`;
    expect(isForeign(JSON.stringify(everything))).toBe(true);
  });

  skipFor(it, longFormOnly)("show nothing of others", { timeout: 3_600_000 }, async () => {
    let returned = 0;
    let rows = 0;
    let tried = 0;
    for await (const statement of statementsOf(reduced.url, seed())) {
      tried += 1;
      const found = await run(statement);
      if (!found || found.length === 0) continue;
      returned += 1;
      rows += found.length;
      const text = JSON.stringify(found, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
      expect(isForeign(text), statement).toBe(false);
      if (returned >= STATEMENTS_WITH_ROWS) break;
    }
    console.log(`${tried} statements, ${returned} with ${rows} rows`);
    expect(returned).toBeGreaterThanOrEqual(STATEMENTS_WITH_ROWS);
  });
});
