import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type postgres from "postgres";
import { openConnection } from "../../scripts/ground/open_connection.ts";
import { withConnection } from "../../scripts/postgres/database_server.ts";
import { connect, stack } from "../support/index.ts";

// porsager/postgres#1066, #1154, #1208: the driver wrote to a connection that was lost, and the process ended. Here,
// the run of the tests would.
const url = stack().database_url;
let killer: postgres.Sql;
let sql: postgres.Sql;
beforeEach(() => {
  killer = connect(url);
  sql = openConnection(url, { max: 1 });
});
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await killer.end();
});

const codeOf = (statement: PromiseLike<unknown>) =>
  Promise.resolve(statement).then(
    () => "ok",
    (error: { code?: string }) => error.code,
  );
const lost = expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET|EPIPE|57P01)$/);

async function endSessionOf(session: postgres.Sql): Promise<void> {
  const [row] = await session`select pg_backend_pid() as pid`;
  await killer`select pg_terminate_backend(${row!.pid as number}, 10000)`;
}

describe.each([10, 5_000])("a statement of %i bytes", (size) => {
  const text = "x".repeat(size);

  it("each of several on a reserved session that is ended gets an error", async () => {
    const session = await sql.reserve();
    await endSessionOf(session);
    for (let times = 1; times <= 4; times++) expect(await codeOf(session`select ${text}`)).toEqual(lost);
  });

  // Guarantee faults/connection-lost
  it("a transaction whose session is ended gets an error, and the next statement its own result", async () => {
    const transaction = sql.begin(async (inside) => {
      await endSessionOf(inside as unknown as postgres.Sql);
      expect(await codeOf(inside`select ${text}`)).toEqual(lost);
      await inside`select ${text}`;
    });
    expect(await codeOf(transaction)).toEqual(lost);
    expect(await sql`select ${text} as text`).toEqual([{ text }]);
  });

  it("those that wait behind a lost one get an error, and the next its own result", async () => {
    await endSessionOf(sql);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(sql`select ${text}`)));
    for (const code of codes) expect(["ok", "CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "57P01"]).toContain(code);
    expect(await sql`select ${text} as text`).toEqual([{ text }]);
  });
});

it("a command that loses its connection ends with the cause", async () => {
  const command = withConnection(url, async (session) => {
    await endSessionOf(session);
    await session`select 1`;
    await session`select 2`;
  });
  expect(["ok", "CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "57P01"]).toContain(await codeOf(command));
});
