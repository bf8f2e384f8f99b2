import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cloneDatabase, connect, seed, testSize } from "../support/index.ts";
import { DatabaseStore, prepareDatabase } from "../../scripts/histories/database_store.ts";
import { actionsOf, levelSettings, planChange, step, type Step } from "../../scripts/histories/history.ts";
import type { Action, LevelSetting } from "../../scripts/model/actions.ts";
import { applyToModel } from "../../scripts/model/apply.ts";
import {
  branchAlone,
  canMove,
  closedHeads,
  copyOf,
  isClosed,
  membersBelow,
  ordersThatPaidAbove,
} from "../../scripts/model/branches.ts";
import { snapshotOfModel } from "../../scripts/model/snapshot.ts";
import { Store } from "../../scripts/model/store.ts";

// A branch is closed if it could be a store of its own. For every action of random histories and every branch that is
// closed before it: an action in the branch has the same effect as without anything outside, and changes nothing
// outside; an action outside changes nothing in the branch; a setting or a job has the same effect on the branch as
// alone; and only few actions open it. By induction, this holds for all that happens until one of those.
const SEED = seed();
const REPLAY_PATH = process.env.REPLAY_PATH;
const replay = REPLAY_PATH ? { path: REPLAY_PATH, endOnFailure: true } : {};
const TIMEOUT = 60 * 60_000;

/**
 * Members who refer each other in a chain, some of them at the top grade and with an own order, then arbitrary steps.
 */
const branchHistory: fc.Arbitrary<Step[]> = fc.noBias(
  fc
    .tuple(
      fc.record({ do: fc.constant("plan" as const), plan: planChange }),
      levelSettings,
      fc.array(fc.record({ isAtTop: fc.nat(4).map((n) => n > 0), buys: fc.boolean() }), {
        minLength: 3,
        maxLength: 5,
        size: "max",
      }),
      fc.array(step, { maxLength: 60, size: "max" }),
    )
    .map(([plan, levels, chain, steps]) => [
      plan,
      { do: "levels", levels },
      ...chain.flatMap(({ isAtTop, buys }): Step[] => [
        { do: "sign_up", under: 0 },
        ...(isAtTop ? [{ do: "set_level" as const, member: 0, grade: topOf(levels), hold: null }] : []),
        ...(buys ? [{ do: "buy" as const, buyer: 0, items: [{ product: 1, quantity: 1 }] }] : []),
      ]),
      ...steps,
    ]),
);

const topOf = (levels: LevelSetting[]) => levels.findLast(({ isActive }) => isActive)!.grade;

/** How many of the checked actions settled an order in a branch with members above. */
let settledInBranches = 0;

/** The member whom an action concerns; null for settings and jobs. */
function memberOf(store: Store, action: Action): number | null {
  if ("order" in action) return store.orders[action.order - 1]?.buyer ?? 0;
  if ("buyer" in action) return action.buyer;
  if ("member" in action) return action.member;
  if ("withdrawal" in action) return store.withdrawals[action.withdrawal - 1]?.member ?? 0;
  if ("adjustment" in action) return store.adjustments[action.adjustment - 1]?.member ?? 0;
  return action.do === "sign_up" ? action.under : null;
}

/**
 * What the model knows of some members and of the orders of some. Team totals, which no rule reads, are left out, and
 * maturities, which are of the earner of an order.
 */
function viewOf(store: Store, isMember: (number: number) => boolean, isBuyer = isMember) {
  const { members, orders: all } = snapshotOfModel(store);
  const orders = all.map(({ settlement, ...order }) => ({
    ...order,
    settlement: settlement && { ...settlement, maturity: null },
  }));
  return {
    members: members.flatMap(({ team: _, ...member }, index) =>
      isMember(index + 1) ? [{ number: index + 1, ...member }] : [],
    ),
    orders: orders.flatMap((order, index) =>
      isBuyer(store.orders[index]!.buyer) ? [{ number: index + 1, ...order }] : [],
    ),
  };
}

/** Whether an action can open a branch: those of the table in decision 0063. */
function mayOpen(store: Store, head: number, action: Action): boolean {
  const chain = [head, ...store.upline(head)];
  const isRoot = (number: number) => number === chain.at(-1);
  const joins = (under: number) => under === head || membersBelow(store, head).has(under);
  switch (action.do) {
    case "bind":
      return isRoot(action.member) || joins(action.under);
    case "set_referrer":
      return isRoot(action.member) || (chain.includes(action.member) && canMove(store, head)) || joins(action.under);
    case "levels":
    case "plan":
      return true;
    case "set_level":
      return chain.includes(action.member);
    case "leave":
      return action.member === head;
    case "refund":
      return memberOf(store, action) === head;
    default:
      return false;
  }
}

function checkBranch(before: Store, after: Store, head: number, action: Action): void {
  if (!isClosed(after, head) && !mayOpen(before, head, action))
    throw new Error(`This has opened the branch of ${head}.`);
  const members = membersBelow(before, head);
  const inside = (number: number) => members.has(number);
  const insideOrHead = (number: number) => inside(number) || number === head;
  const member = memberOf(before, action);
  // A member who gets a referrer in the branch brings along everyone below, and is part of it from then on.
  if ((action.do === "bind" || action.do === "set_referrer") && insideOrHead(action.under)) return;
  const isInside = member !== null && (inside(member) || (action.do === "sign_up" && member === head));
  if (member !== null && !isInside)
    return deepStrictEqual(viewOf(after, inside), viewOf(before, inside), `of an action outside the branch of ${head}`);

  const alone = branchAlone(before, head);
  applyToModel(alone, action);
  // The referrer of the head is not there, and the settlements of the head's own orders pay above.
  const part = (store: Store) => {
    const { members: views, orders } = viewOf(
      store,
      (number) => insideOrHead(number) || membersBelow(store, head).has(number),
      (number) => membersBelow(store, head).has(number),
    );
    return { members: views.map((view) => (view.number === head ? { ...view, referrer: 0 } : view)), orders };
  };
  deepStrictEqual(part(alone), part(after), `in the branch of ${head} alone (+) and in the store (-)`);
  if (!isInside) return;
  if (action.do === "refund" && ordersThatPaidAbove(before, head).includes(action.order)) return;
  const outside = (number: number) => number <= before.members.length && !insideOrHead(number);
  deepStrictEqual(viewOf(after, outside), viewOf(before, outside), `outside the branch of ${head}`);
}

function play(steps: Step[]): void {
  const store = new Store();
  const done: string[] = [];
  for (const each of steps) {
    for (const picked of actionsOf(each, store)) {
      // A batch of jobs may be full of orders of others.
      const action: Action = picked.do === "run_jobs" ? { ...picked, limit: 1000 } : picked;
      const before = copyOf(store);
      const heads = closedHeads(before);
      done.push(`${JSON.stringify(action)} -> ${applyToModel(store, action)}`);
      try {
        for (const head of heads) {
          checkBranch(before, store, head, action);
          const below = membersBelow(before, head);
          const isNew = (number: number) =>
            store.orders[number]!.settlement !== null &&
            before.orders[number]?.settlement === null &&
            store.orders[number]!.settlement.state === "settled";
          if (before.upline(head).length > 0)
            settledInBranches += store.orders.filter(({ buyer }, number) => below.has(buyer) && isNew(number)).length;
        }
      } catch (error) {
        throw new Error(`${(error as Error).message}\nafter:\n${done.join("\n")}`, { cause: error });
      }
    }
  }
}

// Guarantee rules/closed-branch: An order below a closed branch pays and counts for nobody above it
// By: app.closed_branches names the conditions
test.each([SEED])(
  "a closed branch could be a store of its own (seed %i)",
  () => {
    const histories = testSize.branchHistories;
    settledInBranches = 0;
    const result = fc.check(fc.property(branchHistory, play), { seed: SEED, numRuns: histories, ...replay });
    if (result.failed) {
      throw new Error(`${(result.errorInstance as Error | null)?.message}

The shortest history found: ${JSON.stringify(result.counterexample)}
Replay it with: SEED=${SEED} REPLAY_PATH=${result.counterexamplePath} npm test -- property/closed_branches`);
    }
    if (!REPLAY_PATH)
      expect(settledInBranches, "settlements in closed branches below other members").toBeGreaterThan(histories / 2);
  },
  TIMEOUT,
);

class RolledBack extends Error {}

test.each([SEED])(
  "app.closed_branches() finds the closed branches of the model (seed %i)",
  async () => {
    const database = await cloneDatabase();
    const sql = connect(database.url);
    const compare = fc.asyncProperty(branchHistory, async (steps) => {
      const rolledBack = sql.begin(async (transaction) => {
        const model = new Store();
        const found = new DatabaseStore(transaction, false);
        for (const each of steps) {
          for (const action of actionsOf(each, model)) {
            applyToModel(model, action);
            await found.apply(
              action,
              model.now,
              action.do === "release" && action.daysFromToday !== null ? model.businessDay(action.daysFromToday) : null,
            );
          }
        }
        const expected = closedHeads(model).map((head) => ({
          head,
          above: model.upline(head).length,
          canMove: canMove(model, head),
          paidAbove: ordersThatPaidAbove(model, head),
        }));
        deepStrictEqual(await found.closedBranches(), expected);
        throw new RolledBack();
      });
      await rolledBack.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    });
    try {
      await prepareDatabase(sql);
      const result = await fc.check(compare, {
        seed: SEED,
        numRuns: Math.ceil((testSize.histories * 2) / 3),
        ...replay,
      });
      if (result.failed) {
        throw new Error(`${(result.errorInstance as Error | null)?.message}

The shortest history found: ${JSON.stringify(result.counterexample)}
Replay it with: SEED=${SEED} REPLAY_PATH=${result.counterexamplePath} npm test -- property/closed_branches -t finds`);
      }
    } finally {
      await sql.end();
      await database.drop();
    }
  },
  TIMEOUT,
);
