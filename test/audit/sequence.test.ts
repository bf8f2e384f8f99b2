import { expect, it } from "vitest";
import { readVector, startOf } from "../../kit/load.ts";
import { backdate, backdateMembers } from "../journal/store.ts";
import { changed } from "../kit/change.ts";
import { mutants } from "../kit/mutants.ts";
import { StoreAdapter } from "../kit/store_adapter.ts";
import { cloneDatabase, connect } from "../support/index.ts";
import { check, withBundle } from "./bundles.ts";

// Guarantee money/auditor-settlements
it("shows orders that their batch has not settled in the sequence of payments", async () => {
  const byId = mutants.find(({ rule, vector }) => rule === "sequence" && vector === "sequence_of_payments")!;
  const database = await cloneDatabase();
  const adapter = new StoreAdapter(database.url, true);
  const sql = connect(database.url);
  try {
    await adapter.prepare();
    adapter.change = await changed(database.url, byId);
    const vector = readVector("sequence_of_payments");
    await adapter.start(startOf(vector));
    await backdate(sql);
    await backdateMembers(sql);
    for (const event of vector.events) await adapter.happen(event);
    const { findings, differences } = await withBundle(sql, "2026-03", undefined, check);
    const orders = await sql<
      { id: string }[]
    >`select s.order_id as id from app.paid_positions() as s order by s.order_id`;
    expect(findings).toEqual([]);
    expect(orders.length).toBeGreaterThan(1);
    expect(differences.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(orders.map(({ id }) => `order ${id}`)),
    );
  } finally {
    await adapter.end();
    await sql.end();
    await database.drop();
  }
});
