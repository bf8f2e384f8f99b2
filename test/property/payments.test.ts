import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { cloneDatabase, seed, testSize } from "../support/index.ts";
import { LocalProvider } from "./payments/local_provider.ts";
import type { SimulatedProvider } from "./payments/provider.ts";
import { Store } from "./payments/store.ts";
import { WechatProvider } from "./payments/wechat_provider.ts";
import { actions, World } from "./payments/world.ts";

// Random histories of payments and refunds against the real handlers, in which the process crashes after any step and
// the provider loses requests and responses, notifies late, twice, early or never, and takes money for closed payments.
// At the end everything that is lost is repeated, and then: every order is paid at most once, every refund is paid out
// exactly once, and the store knows about all money.
const SEED = seed();

/**
 * So many histories share a store. Each of them notifies of all payments of the store in the end, so their time grows
 * with the square of this.
 */
const HISTORIES_OF_A_STORE = 50;

/**
 * Runs histories one after the other on a new store, and expects after each that no money is lost, taken or given
 * twice.
 */
async function runHistories(provider: SimulatedProvider, historySeed: number, histories: number): Promise<void> {
  const database = await cloneDatabase();
  const store = await Store.open(database.url, await provider.start());
  const world = new World(store, provider);
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(actions(provider.faults), { minLength: 5, maxLength: 40, size: "max" }),
        async (history) => {
          for (const action of history) await world.perform(action);
          await world.heal();
          expect(await world.faults()).toEqual([]);
        },
      ),
      { seed: historySeed, numRuns: histories, endOnFailure: true },
    );
  } finally {
    await provider.stop();
    await store.sql.end();
    await database.drop();
  }
}

test.each([
  ["the local provider", () => new LocalProvider(), Math.ceil(testSize.histories / 3)],
  ["WeChat Pay", () => new WechatProvider(), Math.ceil(testSize.histories / 5)],
] as const)(
  `money at %s is never lost, taken or given twice, whatever crashes and whatever is lost (seed ${SEED})`,
  async (_name, newProvider, histories) => {
    // The log lines of thousands of requests.
    const logs = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((log) =>
      log.mockImplementation(() => undefined),
    );
    try {
      for (let first = 0; first < histories; first += HISTORIES_OF_A_STORE)
        await runHistories(newProvider(), SEED + first, Math.min(HISTORIES_OF_A_STORE, histories - first));
    } finally {
      for (const log of logs) log.mockRestore();
    }
  },
  60 * 60_000,
);
