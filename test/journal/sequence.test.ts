import { expect, it } from "vitest";
import type { Event } from "../../kit/format.ts";
import { readVector, startOf } from "../../kit/load.ts";
import { changed } from "../kit/change.ts";
import { mutants } from "../kit/mutants.ts";
import { StoreAdapter } from "../kit/store_adapter.ts";
import { cloneDatabase, connect } from "../support/index.ts";
import { differencesOf } from "./read_journal.ts";
import { backdate, backdateMembers, journalOf } from "./store.ts";

/** What the journal of a store is short of after a vector. @param change a function of the engine that is replaced */
async function differencesAfter(
  name: string,
  change: (url: string) => Promise<string> = () => Promise.resolve(""),
  happened = (event: Event) => event,
): Promise<string[]> {
  const database = await cloneDatabase();
  const adapter = new StoreAdapter(database.url, true);
  const sql = connect(database.url);
  try {
    await adapter.prepare();
    adapter.change = await change(database.url);
    const vector = readVector(name);
    await adapter.start(startOf(vector));
    await backdate(sql);
    await backdateMembers(sql);
    for (const event of vector.events) await adapter.happen(happened(event));
    return differencesOf(await journalOf(sql, "2026-03"));
  } finally {
    await adapter.end();
    await sql.end();
    await database.drop();
  }
}

// Guarantee money/journal-balances
it("shows that a batch was settled by the ids of its orders and not in the sequence of payments, although every check of stored rows agrees", async () => {
  // Of the two orders, the one that was placed first was paid second and costs less.
  const cheaper = (event: Event): Event =>
    event.do === "order" && event.order === "late" ? { ...event, lines: [{ product: "filter", units: 1 }] } : event;
  const byId = mutants.find(({ rule, vector }) => rule === "sequence" && vector === "sequence_of_payments")!;
  expect(await differencesAfter("sequence_of_payments", undefined, cheaper)).toEqual([]);
  // 0.3 of 3600.00 and 0.2 of 33.33, instead of 0.2 and 0.3.
  expect(await differencesAfter("sequence_of_payments", (url) => changed(url, byId), cheaper)).toEqual([
    expect.stringMatching(/^expenses:commission:\d+ CNY: 10866600 instead of 7299900$/),
  ]);
});

it("has no settlement of an order that a refund has settled, so that the order opens no cycle", async () => {
  expect(await differencesAfter("refunded_while_it_waits")).toEqual([]);
});
