// A random history of the reference model, as far as the kit can say it.
import { write } from "../../kit/amounts.ts";
import type { Event, Level, Plan, Start } from "../../kit/format.ts";
import { actionsOf, type Step } from "../../scripts/histories/history.ts";
import type { Action } from "../../scripts/model/actions.ts";
import { applyToModel } from "../../scripts/model/apply.ts";
import { PRODUCTS, Store } from "../../scripts/model/store.ts";

type Without<Name extends string, Union> = Union extends unknown ? Omit<Union, Name> : never;
type Happened = Without<"at" | "refused", Event>;

const member = (number: number) => `m${number}`;
const order = (number: number) => `o${number}`;
const withdrawal = (number: number) => `w${number}`;
const money = (text: string) => (text.includes(".") ? text : `${text}.00`);

const planOf = (store: Store): Plan => {
  const {
    peoplePerCycle,
    tierRatios,
    scope,
    timing,
    pointsPerBrokerage,
    maxDepth,
    payoutCap,
    minimumBase,
    holdingDays,
  } = store.plans.at(-1)!;
  return {
    ...{ people_per_cycle: peoplePerCycle, tier_ratios: tierRatios.map((ratio) => write(ratio, "ratio")) },
    ...{ brokerage_scope: scope, brokerage_timing: timing, points_per_brokerage: write(pointsPerBrokerage, "points") },
    ...{
      max_depth: maxDepth,
      payout_cap: write(payoutCap, "ratio"),
      minimum_base: write(minimumBase, "money"),
      holding_days: holdingDays,
    },
  };
};

const levelsOf = (store: Store): Level[] =>
  store.levels.map(({ grade, directPoints, umbrellaPoints, tasks }) => ({
    ...{ grade, direct_points: write(directPoints, "points"), umbrella_points: write(umbrellaPoints, "points"), tasks },
  }));

function startOfModel(store: Store): Start {
  const terms = {
    points_rate: write(store.pointsTerms.rate, "money"),
    points_max_share: write(store.pointsTerms.maxShare, "ratio"),
  };
  const products = PRODUCTS.map(({ price, freight, isQueueGoods }, index) => [
    `p${index + 1}`,
    { price, freight, is_queue_goods: isQueueGoods },
  ]);
  return {
    terms: { ...terms, refund_window_days: store.refundWindow },
    ...{ plan: planOf(store), levels: levelsOf(store), products: Object.fromEntries(products), members: {} },
  };
}

/** The form of an action that the kit can say; none for what it does not know, or what names nothing. */
function sayable(action: Action, store: Store): Action[] {
  if ("order" in action && !store.orders[action.order - 1]) return [];
  if ("member" in action && !store.members[action.member - 1]) return [];
  if ("under" in action && action.do !== "sign_up" && !store.members[action.under - 1]) return [];
  switch (action.do) {
    case "sign_up":
      return [{ do: action.do, under: action.under }];
    case "run_jobs":
      return [{ ...action, limit: 1000 }];
    case "levels":
      return [{ ...action, levels: action.levels.map((level) => ({ ...level, isActive: true })) }];
    case "release":
      return action.daysFromToday === null ? [action] : [];
    case "refund":
      return [{ ...action, ref: null }];
    case "adjust":
      return [{ ...action, by: 0 }];
    case "withdraw":
      return action.method === "bank" ? [action] : [];
    case "pay":
      return store.order(action.order).payRef === action.ref ? [] : [action];
    case "bind":
      return store.member(action.member).referrer === action.under ? [] : [action];
    case "end_withdrawal":
      // The kit approves a withdrawal when it is paid.
      if (store.withdrawals[action.withdrawal - 1]?.state !== "requested" || action.state === "cancelled") return [];
      return [
        ...(action.state === "refused"
          ? []
          : [{ ...action, do: "advance_withdrawal" as const, state: "approved" as const }]),
        action,
      ];
    default:
      return SAID.includes(action.do) ? [action] : [];
  }
}

const SAID: Action["do"][] = [
  ...([
    "create",
    "cancel",
    "deliver",
    "receive",
    "request_refund",
    "refuse_refund",
    "take_back_refund",
    "plan",
    "set_level",
  ] as const),
  ...(["set_referrer", "leave", "no_assess", "wait"] as const),
];

/** What the format of a vector excludes, or the kit decides otherwise: a referrer is chosen once. */
const UNSAID = [
  "invalid_argument",
  "product_unavailable",
  "out_of_stock",
  "stays",
  "plan_invalid",
  "levels_invalid",
  "level_unknown",
];
const NO_RULE = [
  ...UNSAID,
  "payment_reference_used",
  "user_not_found",
  "spread_already_bound",
  "spread_is_self",
  "spread_in_own_downline",
  "withdrawal_open",
  "withdrawal_exceeds_balance",
];

function eventOf(action: Action, store: Store): Happened | undefined {
  switch (action.do) {
    case "sign_up": {
      const { referrer } = store.members.at(-1)!;
      return referrer === 0
        ? undefined
        : { do: "refer", member: member(store.members.length), referrer: member(referrer) };
    }
    case "bind":
    case "set_referrer":
      return {
        do: action.do === "bind" ? "refer" : action.do,
        member: member(action.member),
        referrer: member(action.under),
      };
    case "leave":
      return { do: "leave", member: member(action.member), asked: action.isDeletion };
    case "create": {
      const lines = action.items.map(({ product, quantity: units, ...discount }) => ({
        product: `p${product}`,
        units,
        ...discount,
      }));
      const use = action.usePoints === undefined ? {} : { use_points: action.usePoints };
      return { do: "order", order: order(store.orders.length), buyer: member(action.buyer), lines, ...use };
    }
    case "deliver":
      return { do: "ship", order: order(action.order) };
    case "pay":
    case "cancel":
    case "receive":
    case "refuse_refund":
    case "take_back_refund":
      return { do: action.do, order: order(action.order) };
    case "run_jobs":
      return { do: "settle" };
    case "request_refund":
      return { do: action.do, order: order(action.order), ...(action.lines && { lines: action.lines.map(unitsOf) }) };
    case "refund": {
      const { lines, amount, freight, answersRequest } = action;
      return {
        ...{ do: action.do, order: order(action.order) },
        ...(lines && { lines: lines.map((each) => ("amount" in each ? each : unitsOf(each))) }),
        ...(amount !== undefined && { amount }),
        ...(freight !== undefined && { freight: money(freight) }),
        ...(answersRequest !== undefined && { answers_request: answersRequest }),
      };
    }
    case "plan":
      return { do: "change_plan", plan: planOf(store) };
    case "levels":
      return { do: "change_levels", levels: levelsOf(store) };
    case "set_level":
      return {
        do: action.do,
        member: member(action.member),
        grade: action.grade,
        hold: store.member(action.member).isHeld,
      };
    case "no_assess":
      return { do: "set_no_assess", member: member(action.member), no_assess: action.value };
    case "release":
      return { do: "release" };
    case "withdraw":
      return {
        do: "request_withdrawal",
        withdrawal: withdrawal(store.withdrawals.length),
        member: member(action.member),
        amount: action.amount,
      };
    case "end_withdrawal": {
      const { state, held } = action;
      return {
        do: action.do,
        withdrawal: withdrawal(action.withdrawal),
        state: state as "paid",
        ...(held !== undefined && { held }),
      };
    }
    case "adjust":
      return {
        ...{ do: action.do, member: member(action.member), money: money(action.brokerage) },
        frozen: action.frozen,
        available: action.available,
      };
    default:
      return undefined;
  }
}

const unitsOf = ({ line, quantity }: { line: number; quantity: number }) => ({ line, units: quantity });

/** Plays a history in the model. @returns its events, and whether the model has refused each */
export function eventsOfHistory(steps: Step[]): { start: Start; events: Event[]; refused: boolean[]; model: Store } {
  const model = new Store();
  const start = startOfModel(model);
  const [events, refused]: [Event[], boolean[]] = [[], []];
  const happen = (action: Action) => {
    const at = new Date(model.now).toISOString();
    const outcome = applyToModel(model, action);
    if (action.do === "sign_up") start.members[member(model.members.length)] = null;
    const event = NO_RULE.includes(outcome) ? undefined : eventOf(action, model);
    if (!event) return;
    events.push({ at, ...event });
    refused.push(!/^(ok|left|\d+)$/.test(outcome));
  };
  for (const step of steps)
    for (const picked of actionsOf(step, model)) for (const action of sayable(picked, model)) happen(action);
  return { start, events, refused, model };
}
