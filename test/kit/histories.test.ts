import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { it } from "vitest";
import { replay } from "../../kit/evaluate.ts";
import type { History } from "../../kit/history.ts";
import { history, type Step } from "../../scripts/histories/history.ts";
import { account } from "../../scripts/model/accounts.ts";
import { isPaidBack, type Store } from "../../scripts/model/store.ts";
import { seed, testSize } from "../support/index.ts";
import { eventsOfHistory } from "./events_of_history.ts";

// Both decide by the rules of the kit. What the rules ask for, the model keeps, and the evaluator finds it in the history
// anew.
const SEED = seed();

const membersOfModel = (model: Store) =>
  model.members.map(({ level, bill }, index) => ({
    level,
    bill: bill.map(({ type, brokerage, frozen, available }) => [type, brokerage, frozen, available]),
    account: account(model, index + 1),
  }));

const membersOfKit = (kit: History) =>
  [...kit.members].map(([name, { level }]) => ({
    level,
    bill: kit.rows(name).map(({ type, money, frozen, available }) => [type, money, frozen, available]),
    account: kit.account(name),
  }));

const ordersOfModel = (model: Store) =>
  model.orders.map(({ settlement, refunds }) => ({
    settlement: settlement && [settlement.reason, settlement.earner, settlement.place],
    refunds: refunds.map((refund) => [refund.state, isPaidBack(refund) ? refund.amount : 0n]),
  }));

const ordersOfKit = (kit: History) =>
  [...kit.orders.values()].map(({ settlement, refunds }) => ({
    settlement: settlement && [settlement.reason, Number(settlement.earner?.slice(1) ?? 0), settlement.place],
    refunds: refunds.map(({ state, paidBack }) => [state, paidBack]),
  }));

function compare(steps: Step[]): void {
  const { start, events, refused, model } = eventsOfHistory(steps);
  const kit = replay(start, events);
  kit.history.now = model.now;
  const told = (decided: boolean[]) =>
    events.map((event, index) => `${JSON.stringify(event)}${decided[index] ? " is refused" : ""}`);
  deepStrictEqual(told(kit.refused), told(refused));
  deepStrictEqual(membersOfKit(kit.history), membersOfModel(model));
  deepStrictEqual(ordersOfKit(kit.history), ordersOfModel(model));
}

it(`the evaluator and the reference model agree about random histories (seed ${SEED})`, () => {
  fc.assert(fc.property(history, compare), { seed: SEED, numRuns: testSize.branchHistories });
}, 600_000);
