import type postgres from "postgres";
import { sum, write } from "../../kit/amounts.ts";
import { replay } from "../../kit/evaluate.ts";
import type { Event, Plan, Start } from "../../kit/format.ts";
import type { History } from "../../kit/history.ts";
import { startOf } from "../../kit/load.ts";

/** What has happened, as the store returns it (app.journal_events). */
type Happened =
  | { do: "change_plan"; plan: Plan }
  | { do: "refer"; member: string; referrer: string }
  | { do: "order"; order: string; buyer: string; lines: { price: string; is_queue_goods: boolean; units: number; discount: string }[] }
  | { do: "pay"; order: string }
  | { do: "settle" | "receive"; orders: string[] }
  | { do: "refund"; order: string; lines: { line: number; units: number }[] };

/** The events for the evaluator. Goods are named by their price. */
function* eventsOf(start: Start, at: string, happened: Happened): Generator<Event> {
  switch (happened.do) {
    case "order": {
      const lines = happened.lines.map(({ price, is_queue_goods: isQueueGoods, units, discount }) => {
        const product = `p${price.replace(".", "_")}${isQueueGoods ? "q" : ""}`;
        start.products[product] ??= { price, is_queue_goods: isQueueGoods };
        return { product, units, discount };
      });
      yield { at, do: "order", order: happened.order, buyer: happened.buyer, lines };
      return;
    }
    case "receive":
      for (const order of happened.orders) yield { at, do: "receive", order };
      return;
    default:
      yield { at, ...happened } as Event;
  }
}

/**
 * The commission of each member in a period, from what has happened: computed by the evaluator of the rules, which shares nothing with the engine.
 * @returns the commission less what refunds took back, as money by uid; members who brought places of a cycle from another system are left out
 */
export async function commissionExpenses(
  sql: postgres.Sql,
  from: Date,
  to: Date,
  show: (orders: number) => void,
): Promise<Map<number, string>> {
  const uids = (await sql<{ uid: string }[]>`select u.uid from app.users as u`).map(({ uid }) => uid);
  const foreign = new Set((await sql<{ uid: string }[]>`select c.uid from app.opening_cycles as c`).map(({ uid }) => Number(uid)));
  const start = startOf({
    members: Object.fromEntries(uids.map((uid) => [`m${uid}`, null])),
    levels: [{ grade: 0, direct_points: "0", umbrella_points: "0", tasks: {} }],
  });
  const events: Event[] = [];
  let orders = 0;
  for await (const rows of sql<{ row: { at: string; event: Happened } }[]>`select app.journal_events(${to}) as row`.cursor(1000)) {
    for (const { row } of rows) {
      if (row.event.do === "order") orders += 1;
      events.push(...eventsOf(start, row.at, row.event));
    }
    show(orders);
  }
  const { history, refused } = replay(start, events);
  const wrong = refused.indexOf(true);
  if (wrong !== -1) throw new Error(`The evaluator refuses what has happened: ${JSON.stringify(events[wrong])}`);
  return expensesOf(history, from, foreign);
}

function expensesOf(history: History, from: Date, foreign: Set<number>): Map<number, string> {
  const expenses = new Map<number, string>();
  for (const name of history.members.keys()) {
    const uid = Number(name.slice(1));
    if (foreign.has(uid)) continue;
    const amount = sum(
      history
        .rows(name)
        .filter(({ at }) => at >= from.getTime())
        .map(({ money }) => money),
    );
    if (amount !== 0n) expenses.set(uid, write(amount, "money"));
  }
  return expenses;
}
