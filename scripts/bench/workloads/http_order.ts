import { createData, withSql } from "../data/load_data.ts";
import { compareTargets } from "../http/compare_targets.ts";
import { createCallers, withServed } from "../http/functions.ts";
import type { Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

// So many that no member has more unpaid orders than in a real store.
const CALLERS = 500;

export const httpOrder: Workload = {
  name: "http_order",
  title: "Place an order over HTTP, compared with Hono with a token and one statement that writes the same rows",
  async run(bench) {
    const url = await createData(bench.server, { members: bench.size.members[0] ?? 0, referrer: RANDOM_TREE });
    const { members } = await createCallers(url, CALLERS);
    // The orders of a run are never paid.
    await withSql(url, (sql) => sql`update app.settings set max_unpaid_orders = 1000`);
    const comparisons = await withServed(["api", "ladder"], url, ({ api, ladder }) =>
      compareTargets(
        bench,
        {
          name: "bare insert",
          base: ladder.base,
          requests: members.map(({ uid, token }) => ({ method: "POST", path: "/ladder/insert", token, body: { uid } })),
        },
        [
          {
            name: "order with one line",
            aim: 0.55,
            floor: 0.45,
            base: api.base,
            requests: members.map(({ token }) => ({
              method: "POST",
              path: "/api/order",
              token,
              body: { items: [{ product_id: 1, quantity: 1 }] },
            })),
          },
        ],
      ),
    );
    await bench.server.dropDatabases([url]);
    return comparisons;
  },
};
