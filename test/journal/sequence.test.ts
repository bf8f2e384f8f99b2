import { expect, it } from "vitest";
import { readVector, startOf } from "../../kit/load.ts";
import { changed } from "../kit/change.ts";
import { mutants } from "../kit/mutants.ts";
import { StoreAdapter } from "../kit/store_adapter.ts";
import { cloneDatabase, connect } from "../support/index.ts";
import { differencesOf } from "./read_journal.ts";
import { backdate, backdateMembers, journalOf } from "./store.ts";

/** The journal of a store that has settled two orders, of which the one that was placed first was paid second and costs less. */
async function differencesAfter(change: (url: string) => Promise<string>): Promise<string[]> {
  const database = await cloneDatabase();
  const adapter = new StoreAdapter(database.url, true);
  const sql = connect(database.url);
  try {
    await adapter.prepare();
    adapter.change = await change(database.url);
    const vector = readVector("sequence_of_payments");
    await adapter.start(startOf(vector));
    await backdate(sql);
    await backdateMembers(sql);
    for (const event of vector.events) {
      await adapter.happen(event.do === "order" && event.order === "late" ? { ...event, lines: [{ product: "filter", units: 1 }] } : event);
    }
    return differencesOf(await journalOf(sql, "2026-03"));
  } finally {
    await adapter.end();
    await sql.end();
    await database.drop();
  }
}

it("shows that a batch was settled by the ids of its orders and not in the sequence of payments, although every check of stored rows agrees", async () => {
  const byId = mutants.find(({ rule, vector }) => rule === "sequence" && vector === "sequence_of_payments")!;
  expect(await differencesAfter(() => Promise.resolve(""))).toEqual([]);
  // 0.3 of 3600.00 and 0.2 of 33.33, instead of 0.2 and 0.3.
  expect(await differencesAfter((url) => changed(url, byId))).toEqual([
    expect.stringMatching(/^expenses:commission:\d+ CNY: 10866600 instead of 7299900$/),
  ]);
});
