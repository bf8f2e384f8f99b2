import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { cloneDatabase, seed, testSize } from "../support/index.ts";
import { LocalProvider } from "./payments/local_provider.ts";
import { Store } from "./payments/store.ts";
import { WechatProvider } from "./payments/wechat_provider.ts";
import { actions, World } from "./payments/world.ts";

// Random histories of payments and refunds against the real handlers, in which the process crashes after any step and the provider loses
// requests and responses, notifies late, twice, early or never, and takes money for closed payments. At the end everything that is lost is
// repeated, and then: every order is paid at most once, every refund is paid out exactly once, and the store knows about all money.
const SEED = seed();

test.each([
  ["the local provider", new LocalProvider(), Math.ceil(testSize.histories / 3)],
  ["WeChat Pay", new WechatProvider(), Math.ceil(testSize.histories / 5)],
] as const)(
  `money at %s is never lost, taken or given twice, whatever crashes and whatever is lost (seed ${SEED})`,
  async (_name, provider, histories) => {
    const database = await cloneDatabase();
    const store = await Store.open(database.url, await provider.start());
    const world = new World(store, provider);
    // The log lines of thousands of requests.
    const logs = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((log) => log.mockImplementation(() => undefined));
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(actions(provider.faults), { minLength: 5, maxLength: 40, size: "max" }), async (history) => {
          for (const action of history) await world.perform(action);
          await world.heal();
          expect(await world.faults()).toEqual([]);
        }),
        { seed: SEED, numRuns: histories, endOnFailure: true },
      );
    } finally {
      for (const log of logs) log.mockRestore();
      await provider.stop();
      await store.sql.end();
      await database.drop();
    }
  },
  60 * 60_000,
);
