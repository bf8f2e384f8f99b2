import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { FakeWechatPay } from "../support/wechat/fake_wechat_pay.ts";
import { cloneDatabase, seed, testSize } from "../support/index.ts";
import { Store } from "./payments/store.ts";
import { actions, World } from "./transfers/world.ts";

// Random histories of withdrawals to WeChat against the real handlers, in which the process crashes after any step, and
// WeChat Pay loses requests and responses, has no money, notifies early, late, twice or never, and members do not
// confirm, or are deleted. At the end everything that is lost is repeated, and then: WeChat Pay has paid each
// withdrawal that is paid exactly once, and no other.
const SEED = seed();

test(
  `a withdrawal to WeChat is paid once or returned once, whatever crashes and whatever is lost (seed ${SEED})`,
  async () => {
    const database = await cloneDatabase();
    const wechatPay = new FakeWechatPay();
    await wechatPay.start();
    const store = await Store.open(database.url, {
      ...wechatPay.settings(),
      STORE_FUNCTIONS_URL: "https://store.example.com/functions/v1",
    });
    await store.sql`update app.settings set withdrawal_methods = '{wechat}', withdrawal_minimum = 0.01, withdrawal_fee_rate = 0.006`;
    const world = new World(store, wechatPay);
    // The log lines of thousands of requests.
    const logs = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((log) =>
      log.mockImplementation(() => undefined),
    );
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(actions, { minLength: 5, maxLength: 40, size: "max" }), async (history) => {
          for (const action of history) await world.perform(action);
          await world.heal();
          expect(await world.faults()).toEqual([]);
        }),
        { seed: SEED, numRuns: Math.ceil(testSize.histories / 5), endOnFailure: true },
      );
      expect(wechatPay.paidOut.length).toBeGreaterThan(0);
    } finally {
      for (const log of logs) log.mockRestore();
      await wechatPay.stop();
      await store.sql.end();
      await database.drop();
    }
  },
  60 * 60_000,
);
