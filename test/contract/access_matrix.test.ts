import { expect, it } from "vitest";
import { cloneDatabase, connect } from "../support/index.ts";
import { accessMatrix } from "./snapshots/access_matrix.ts";

// Guarantee access/privileges: No object has a privilege that nothing needs
// By: grants in the file of each object; test/contract/snapshots/access_matrix.md and rules in supabase/tests/access
it("the access matrix lists the privileges of every object, as the catalogue has them", async () => {
  const { url, drop } = await cloneDatabase();
  try {
    await expect(
      await accessMatrix(url),
      "The snapshot has all names and signatures. `npm test -- contract/access_matrix --update` writes it; read what changes.",
    ).toMatchFileSnapshot("snapshots/access_matrix.md");
  } finally {
    await drop();
  }
});

it.each([
  ["a table", "create table app.forgotten (id bigint)", "| `app.forgotten` |  |  |  |  |  |  |  | `id` |"],
  ["a column", "alter table app.settings add column forgotten text", "`forgotten`"],
  [
    "a view",
    "create view app.forgotten as select 1 as one; grant select on app.forgotten to anon",
    "| `app.forgotten` | select |  |  |  |  |  |  | `one` |",
  ],
  ["a sequence", "create sequence app.forgotten", "`app.forgotten`"],
  [
    "a privilege on a sequence",
    "grant usage on sequence app.orders_id_seq to authenticated",
    "| `app.orders_id_seq` |  | usage |  |  |  |  |",
  ],
  [
    "a function",
    "create function app.forgotten() returns integer language sql as 'select 1'",
    "| `app.forgotten()` | the caller |  |  |  |  |  |  |",
  ],
  [
    "a function with rights of the owner",
    "create function api.forgotten() returns integer language sql security definer as 'select 1'; grant execute on function api.forgotten() to anon",
    "| `api.forgotten()` | the owner | execute |  |  |  |  |  |",
  ],
  [
    "a privilege on a column",
    "grant select (openid) on app.wechat_accounts to store_admin",
    "| `app.wechat_accounts` | openid |  |  | select |  |  |  |",
  ],
  ["a privilege of PUBLIC", "grant select on app.settings to public", "PUBLIC: select"],
  [
    "a policy",
    "create policy forgotten on app.orders for select to anon using (true)",
    "| `app.orders` | forgotten | select | anon | `true` |",
  ],
])("%s that is added later changes the list", async (_what, change, line) => {
  const { url, drop } = await cloneDatabase();
  const sql = connect(url);
  try {
    const before = await accessMatrix(url);
    expect(before).not.toContain(line);
    await sql.unsafe(change);
    expect(await accessMatrix(url)).toContain(line);
  } finally {
    await sql.end();
    await drop();
  }
});
