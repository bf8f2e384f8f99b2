import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { hasQueueGoods } from "../../kit/rules/orders.ts";
import { type Connection, DatabaseStore } from "../../scripts/histories/database_store.ts";
import { actionsOf, history, levelSettings, planChange, step, type Step } from "../../scripts/histories/history.ts";
import type { Action, LevelSetting, PlanChange } from "../../scripts/model/actions.ts";
import { applyToModel } from "../../scripts/model/apply.ts";
import { Store } from "../../scripts/model/store.ts";

/** A test case: the history before the period, the draft (null for no change), and the history in the period. */
export interface DraftHistory {
  before: Step[];
  plan: PlanChange | null;
  levels: LevelSetting[] | null;
  period: Step[];
}

/** A simulation needs no releases and no failures. */
const LEFT_OUT = ["break_settlements", "keep_failing", "release"];
/**
 * Steps that have the same effect under every plan and all levels. Setting a grade that the member already has is no
 * change.
 */
const ALIKE = [
  "sign_up",
  "bind",
  "buy",
  "create",
  "pay",
  "cancel",
  "deliver",
  "receive",
  "request_refund",
  "refuse_refund",
  "take_back_refund",
  "ask",
  "refund",
  "no_assess",
];

export const draftHistory: fc.Arbitrary<DraftHistory> = fc.noBias(
  fc.record({
    before: history.map((steps) => steps.filter((each) => !LEFT_OUT.includes(each.do)).slice(0, 30)),
    plan: fc.option(planChange, { freq: 5, nil: null }),
    levels: fc.option(levelSettings, { freq: 2, nil: null }),
    period: fc
      .array(step, { minLength: 20, maxLength: 60, size: "max" })
      .map((steps) => steps.filter((each) => ALIKE.includes(each.do))),
  }),
);

/**
 * Plays the history in a transaction and simulates the draft for the period. Then plays the period again with the draft
 * in force, and compares the simulated with the paid amounts.
 * @throws Error that lists the events of the period, and the difference
 */
export async function tryDraft(sql: Connection, { before, plan, levels, period }: DraftHistory): Promise<void> {
  const model = new Store();
  const happened = new DatabaseStore(sql, false);
  const done: { action: Action; now: number }[] = [];
  const play = async (action: Action) => {
    applyToModel(model, action);
    done.push({ action, now: model.now });
    await happened.apply(action, model.now, null);
  };
  for (const each of before) for (const action of actionsOf(each, model)) await play(action);
  // An order paid before the period keeps its plan and levels, so no such order may be settled in the period.
  for (const [index, order] of model.orders.entries()) {
    const waits =
      ["paid", "delivered"].includes(order.state) &&
      hasQueueGoods(order.lines) &&
      !order.settlement &&
      model.plan(order.plan!).timing === "confirm";
    if (waits) await play({ do: "receive", order: index + 1 });
  }
  await play({ do: "wait", minutes: 100 });
  await play({ do: "run_jobs", limit: 1000 });

  await play({ do: "wait", minutes: 1 });
  const from = model.now;
  const inForce = happened.copy();
  const until = done.length;
  await sql.unsafe("savepoint period_begins");
  let buyer: unknown;
  for (const each of period) {
    // Each step has its own time, because a simulation sorts by time. Only several purchases of one buyer have the same
    // time. Who buys with points depends on who has some, so two such purchases in a row may be those of two members.
    const namesBuyer = each.do === "buy" && !("usePoints" in each);
    const buysAgain = namesBuyer && buyer !== undefined;
    if (!buysAgain) {
      buyer = namesBuyer ? each.buyer : undefined;
      await play({ do: "wait", minutes: 1 });
    }
    for (const action of actionsOf(buysAgain ? { ...each, buyer } : each, model)) {
      await play(action);
      // With timing on_pay, the order is settled immediately.
      if (action.do === "pay") await play({ do: "run_jobs", limit: 1000 });
    }
  }
  const simulated = await happened.simulateDraft(plan, levels, from);
  await sql.unsafe("rollback to savepoint period_begins");
  fc.pre(simulated !== "rejected" && (await inForce.putInForce(plan, levels, from)));
  for (const { action, now } of done.slice(until)) await inForce.apply(action, now, null);
  try {
    deepStrictEqual(simulated, await inForce.paidSince(from));
  } catch (error) {
    const actions = done.map(
      ({ action }, index) => `${index === until ? "-- the period\n" : ""}${JSON.stringify(action)}`,
    );
    throw new Error(
      `${(error as Error).message}\n(+ simulated, - paid with the draft in force) after:\n${actions.join("\n")}`,
      {
        cause: error,
      },
    );
  }
}
