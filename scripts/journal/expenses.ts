import type postgres from "postgres";
import { sum, write } from "../../kit/amounts.ts";
import { replay } from "../../kit/evaluate.ts";
import type { Event, Plan, Start } from "../../kit/format.ts";
import type { History } from "../../kit/history.ts";
import { startOf } from "../../kit/load.ts";
import { Problem } from "../ground/problem.ts";

/** What has happened, as the store returns it (app.journal_events). */
type Happened =
  | { do: "change_plan"; plan: Plan }
  | { do: "refer"; member: string; referrer: string }
  | {
      do: "order";
      order: string;
      buyer: string;
      lines: { price: string; is_queue_goods: boolean; units: number; discount: string }[];
    }
  | { do: "pay"; order: string }
  | { do: "settle" | "receive"; orders: string[] }
  | { do: "refund"; order: string; lines: ({ line: number; units: number } | { line: number; amount: string })[] }
  | { do: "leave"; member: string };

/** An event with its time. */
interface Told {
  at: string;
  event: Happened;
}

/** Remembers who got which referrer. @throws Error if a referrer does not exist, or is below the member */
function requireTree({ members }: Start, { member, referrer }: { member: string; referrer: string }): void {
  members[member] = referrer;
  for (let above: string | null | undefined = referrer; above !== null; above = members[above])
    if (above === undefined || above === member) throw new Error(`${referrer} cannot be above ${member}`);
}

/** The events for the evaluator. Goods are named by their price. */
function* eventsOf(start: Start, at: string, happened: Happened): Generator<Event> {
  switch (happened.do) {
    case "order": {
      const lines = happened.lines.map(({ price, is_queue_goods: isQueueGoods, units, discount }) => {
        const product = `p${price.replace(".", "_")}${isQueueGoods ? "q" : ""}`;
        // Freight is no part of the base.
        start.products[product] ??= { price, is_queue_goods: isQueueGoods, freight: "0.00" };
        return { product, units, discount };
      });
      yield { at, do: "order", order: happened.order, buyer: happened.buyer, lines };
      return;
    }
    case "refer":
      requireTree(start, happened);
      yield { at, ...happened };
      return;
    case "leave":
      // What they gave up is no commission that came of orders.
      yield { at, ...happened, asked: false };
      return;
    case "receive":
      for (const order of happened.orders) yield { at, do: "receive", order };
      return;
    default:
      yield { at, ...happened } as Event;
  }
}

/**
 * The commission of each member in a period, from what has happened: computed by the evaluator of the rules, which
 * shares nothing with the engine.
 * @returns the commission less what refunds took back, as money by uid; members who brought places of a cycle from
 * another system are left out
 */
export async function commissionExpenses(
  sql: postgres.Sql,
  from: Date,
  to: Date,
  show: (orders: number) => void,
): Promise<Map<number, string>> {
  const uids = (await sql<{ uid: string }[]>`select u.uid from app.users as u`).map(({ uid }) => uid);
  const foreign = new Set(
    (await sql<{ uid: string }[]>`select c.uid from app.opening_cycles as c`).map(({ uid }) => Number(uid)),
  );
  const start = startOf({
    members: Object.fromEntries(uids.map((uid) => [`m${uid}`, null])),
    levels: [{ grade: 0, direct_points: "0", umbrella_points: "0", tasks: {} }],
  });
  const told: Told[] = [];
  let orders = 0;
  for await (const rows of sql<{ row: Told }[]>`select app.journal_events(${to}) as row`.cursor(1000)) {
    for (const { row } of rows) {
      if (row.event.do === "order") orders += 1;
      told.push(row);
    }
    show(orders);
  }
  return expensesOf(historyOf(start, told), from, foreign);
}

/**
 * @throws Problem that names the order, member or plan that cannot be so, because somebody has changed a row by hand
 */
function historyOf(start: Start, told: Told[]): History {
  let at = -1;
  function* events() {
    for (const [index, { at: time, event }] of told.entries()) {
      at = index;
      yield* eventsOf(start, time, event);
    }
  }
  try {
    const { history, refused } = replay(start, events());
    const wrong = refused.indexOf(true);
    if (wrong === -1) return history;
    at = refusedAt(told, wrong);
  } catch (error) {
    if (at === -1) throw error;
  }
  throw contradiction(told, told[at]!);
}

/** Which row an event of the evaluator is of: a receipt of several orders is an event for each. */
function refusedAt(told: Told[], event: number): number {
  let before = 0;
  return told.findIndex(({ event: { do: what, ...rest } }) => {
    before += what === "receive" && "orders" in rest ? rest.orders.length : 1;
    return before > event;
  });
}

const ordersOf = ({ event }: Told): string[] =>
  "orders" in event ? event.orders : "order" in event ? [event.order] : [];

const WORDS: Record<Happened["do"], string> = {
  change_plan: "plan made",
  refer: "referrer",
  order: "placed",
  pay: "paid",
  settle: "settled",
  receive: "received",
  refund: "refunded",
  leave: "left",
};

function contradiction(told: Told[], wrong: Told): Problem {
  const said = ({ at, event }: Told) => `${WORDS[event.do]} ${at}`;
  const stories = ordersOf(wrong).map((order) => ({
    order,
    story: told.filter((row) => ordersOf(row).includes(order)),
  }));
  // Of orders that were settled together, the one that was not placed first and paid then.
  const first =
    stories.find(({ story }) => story[0]?.event.do !== "order" || story[1]?.event.do !== "pay") ?? stories[0];
  const { event } = wrong;
  const subject = first
    ? `order ${first.order.slice(1)} (${first.story.map(said).join(", ")})`
    : event.do === "leave"
      ? `member ${event.member.slice(1)} (left ${wrong.at})`
      : event.do === "refer"
        ? `the referrer of member ${event.member.slice(1)} (member ${event.referrer.slice(1)}, ${wrong.at})`
        : `the plan that was made ${wrong.at}`;
  return new Problem(
    `The records contradict each other, so that nothing can be computed from them: ${subject}.`,
    "Somebody has changed a row by hand. Compare it with the statement of the payment provider and with a backup (docs/operations.md, Backups), put it right, and run the command again.",
  );
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
