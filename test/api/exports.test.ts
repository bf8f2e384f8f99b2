import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type Account, accountIdOf, copyAccounts, signUpAdmin } from "./client.ts";

/** Rows of the bill: thirty chunks. */
const ROWS = 30_000;
const LOCK = 4711;

let clone: ClonedDatabase;
let sql: postgres.Sql;
let served: EdgeFunction;
let admin: Account;

beforeAll(async () => {
  [clone, admin] = await Promise.all([cloneDatabase(), signUpAdmin("Exporter")]);
  sql = connect(clone.url);
  await copyAccounts(sql, admin);
  await sql`update auth.users set role = 'store_admin' where id = ${accountIdOf(admin)}`;
  await sql`insert into app.administrators (auth_id, added_at) values (${accountIdOf(admin)}, now()) on conflict do nothing`;
  const id = randomUUID();
  await sql`insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (now(), ${id}, ${`${id}@example.com`}, '{"nickname": "Member with many rows"}')`;
  await sql`
    insert into app.user_bill (uid, type, source, frozen_delta, available_delta, basis, rate, brokerage_after, frozen_after, available_after, add_time)
    select u.uid, 'frozen_points_release', 'release', -1, 1, 1000, 0.001, 0, 0, n, '2024-06-01T00:00:00Z'::timestamptz + n * interval '1 second'
    from app.users as u, generate_series(1, ${ROWS}::integer) as n where u.auth_id = ${id}`;
  served = await serveEdgeFunction("adminapi", clone.url, {});
});

afterAll(async () => {
  await served.stop();
  await sql.end();
  await clone.drop();
});

const request = () =>
  fetch(`${served.base}/adminapi/export/bill?from=2024-06-01T00:00:00Z&to=2024-07-01T00:00:00Z`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });

/** Lets the database do something before it returns the last chunk. */
async function beforeTheLastChunk(statement: string): Promise<void> {
  await sql.unsafe(`
    create or replace function app.bill_line(p_row app.user_bill, p_time_zone text) returns jsonb language plpgsql as $$
    begin
      if p_row.available_after = ${ROWS - 500} then
        ${statement};
      end if;
      return jsonb_build_object('id', p_row.id::text, 'uid', p_row.uid::text);
    end $$`);
}

describe("GET /adminapi/export/bill", () => {
  it("returns every row", async () => {
    const response = await request();
    expect(response.status).toBe(200);
    expect((await response.text()).trimEnd().split("\r\n")).toHaveLength(ROWS + 1);
  });

  it("sends the first lines before the last ones are read", async () => {
    await beforeTheLastChunk(`perform pg_advisory_xact_lock(${LOCK})`);
    const holder = await sql.reserve();
    await holder`select pg_advisory_lock(${LOCK})`;
    const reader = (await request()).body!.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain("Bill row");
    await holder`select pg_advisory_unlock(${LOCK})`;
    holder.release();
    let length = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) length += part.value.length;
    expect(length).toBeGreaterThan(ROWS);
  });

  it("breaks off the connection if a later chunk fails, and logs it", async () => {
    await beforeTheLastChunk("raise exception 'broken'");
    const response = await request();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(served.log()).toContain("file broken off");
  });
});
