import type { Store } from "./store.ts";

interface EventForm {
  pattern: RegExp;
  run(store: Store, parts: Record<string, string | undefined>): Promise<void>;
}

/** The patterns of events, and what each event does to the store. */
const FORMS: EventForm[] = [
  {
    pattern:
      /^(?<names>[A-Z][a-z]+(?:(?:, [A-Z][a-z]+)* and [A-Z][a-z]+)?) joins?(?: under (?<referrer>[A-Z][a-z]+))?(?: at level (?<level>\d))?$/,
    async run(store, { names, referrer, level }) {
      for (const name of names!.split(/, | and /))
        await store.join(name, referrer, level === undefined ? undefined : Number(level));
    },
  },
  {
    pattern: /^order (?<order>\d+): (?<buyer>[A-Z][a-z]+) buys (?<units>\d+) units?(?: at (?<price>\d+\.\d\d))?$/,
    async run(store, { order, buyer, units, price }) {
      await store.place(order!, buyer!, Number(units), price);
      await store.pay(order!);
    },
  },
  {
    pattern: /^order (?<order>\d+): (?<buyer>[A-Z][a-z]+) places (?<units>\d+) units?$/,
    run: (store, { order, buyer, units }) => store.place(order!, buyer!, Number(units)),
  },
  {
    pattern:
      /^order (?<order>\d+): (?<buyer>[A-Z][a-z]+) (?<verb>buys|places) (?<items>\d+ units?(?: of \w+ at \d+\.\d\d)?(?: and \d+ units?(?: of \w+ at \d+\.\d\d)?)*) with (?<points>\d+) points?$/,
    async run(store, { order, buyer, verb, items, points }) {
      await store.placeWithPoints(order!, buyer!, items!.split(" and ").map(itemOf), points!);
      if (verb === "buys") await store.pay(order!);
    },
  },
  { pattern: /^order (?<order>\d+) is cancelled$/, run: (store, { order }) => store.cancel(order!) },
  {
    pattern: /^(?<points>\d+(?:\.\d+)?) points pay 1\.00, for at most (?<share>0\.\d+) of the price$/,
    run: (store, { points, share }) => store.changePointsTerms(points!, share!),
  },
  { pattern: /^order (?<order>\d+) is paid$/, run: (store, { order }) => store.pay(order!) },
  { pattern: /^order (?<order>\d+) is received$/, run: (store, { order }) => store.receive(order!) },
  { pattern: /^order (?<order>\d+) is refunded$/, run: (store, { order }) => store.refund(order!, undefined) },
  {
    pattern: /^(?<units>\d+) units? (?:of (?<goods>[a-z]+) )?of order (?<order>\d+) (?:is|are) refunded$/,
    run: (store, { order, units, goods }) => store.refund(order!, Number(units), goods),
  },
  {
    pattern: /^a refund can be requested for (?<days>\d+) days$/,
    run: (store, { days }) => store.changeRefundWindow(Number(days)),
  },
  {
    pattern: /^(?<units>\d+) units? of order (?<order>\d+) (?:is|are) refunded beside the request$/,
    run: (store, { order, units }) => store.refund(order!, Number(units), undefined, false),
  },
  {
    pattern: /^[A-Z][a-z]+ asks for (?<units>\d+) units? of order (?<order>\d+)$/,
    run: (store, { order, units }) => store.requestRefund(order!, Number(units)),
  },
  {
    pattern: /^[A-Z][a-z]+ takes the request for order (?<order>\d+) back$/,
    run: (store, { order }) => store.takeBackRefund(order!),
  },
  {
    pattern: /^the request for order (?<order>\d+) is refused$/,
    run: (store, { order }) => store.refuseRefund(order!),
  },
  {
    pattern: /^(?<buyer>[A-Z][a-z]+) asks for a refund of order (?<order>\d+)$/,
    run: (store, { order }) => store.requestRefund(order!),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s level becomes (?<level>\d), (?<not>not )?held$/,
    run: (store, { member, level, not }) => store.setLevel(member!, Number(level), not === undefined),
  },
  { pattern: /^(?<member>[A-Z][a-z]+)'s hold ends$/, run: (store, { member }) => store.endHold(member!) },
  {
    pattern: /^(?<member>[A-Z][a-z]+) is (?:(?<not>not assessed)|assessed again)$/,
    run: (store, { member, not }) => store.setNoAssess(member!, not !== undefined),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+) gets (?<referrer>[A-Z][a-z]+) as referrer$/,
    run: (store, { member, referrer }) => store.refer(member!, referrer!),
  },
  {
    pattern: /^(?<amount>\d+\.\d\d) (?:of (?<goods>[a-z]+) )?of order (?<order>\d+) is refunded$/,
    run: (store, { order, amount, goods }) => store.refundAmount(order!, amount!, goods),
  },
  {
    pattern: /^the plan becomes (?<settings>.+)$/,
    run: (store, { settings }) => store.changePlan(Object.assign({}, ...settings!.split(", ").map(planSetting))),
  },
  { pattern: /^the daily release runs$/, run: (store) => store.release() },
  {
    pattern:
      /^(?<member>[A-Z][a-z]+) is adjusted by (?<money>-?\d+\.\d\d), (?<frozen>-?\d+(?:\.\d+)?) frozen, (?<available>-?\d+(?:\.\d+)?) available$/,
    run: (store, { member, money, frozen, available }) => store.adjust(member!, money!, frozen!, available!),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s account is deleted$/,
    run: (store, { member }) => store.deleteAccount(member!),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s account is removed in Auth$/,
    run: (store, { member }) => store.removeAccount(member!),
  },
  { pattern: /^a second administrator approves the adjustment$/, run: (store) => store.approveAdjustment() },
  { pattern: /^the withdrawal fee becomes (?<rate>0\.\d+)$/, run: (store, { rate }) => store.changeFee(rate!) },
  {
    pattern: /^(?<member>[A-Z][a-z]+) withdraws (?<amount>\d+\.\d\d)$/,
    run: (store, { member, amount }) => store.withdraw(member!, amount!, "bank"),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s withdrawal is refused$/,
    run: (store, { member }) => store.endWithdrawal(member!, "refused"),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s withdrawal is paid$/,
    run: (store, { member }) => store.endWithdrawal(member!, "paid"),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+) withdraws (?<amount>\d+\.\d\d) to WeChat$/,
    run: (store, { member, amount }) => store.withdraw(member!, amount!, "wechat"),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s withdrawal is approved(?: although (?<held>\d+\.\d\d) is held)?$/,
    run: (store, { member, held }) => store.approveWithdrawal(member!, held),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s transfer is requested$/,
    run: (store, { member }) => store.requestTransfer(member!),
  },
  {
    pattern:
      /^WeChat reports (?<member>[A-Z][a-z]+)'s transfer as (?<state>unknown|confirming|transferring|succeeded|failed)$/,
    run: (store, { member, state }) => store.reportTransfer(member!, state!),
  },
  {
    pattern: /^(?<member>[A-Z][a-z]+)'s transfer is cancelled$/,
    run: (store, { member }) => store.cancelTransfer(member!),
  },
];

/** Units of goods that are not queue goods, or, without a name, of the flagship product. */
export interface Item {
  quantity: number;
  goods?: string;
  price?: string;
}

function itemOf(text: string): Item {
  const { quantity, goods, price } = /^(?<quantity>\d+) units?(?: of (?<goods>\w+) at (?<price>\S+))?$/.exec(
    text,
  )!.groups!;
  return { quantity: Number(quantity), ...(goods && price && { goods, price }) };
}

function planSetting(text: string): Record<string, string | number | number[]> {
  const { ratios, scope, timing, points } =
    /^(?:ratios (?<ratios>[\d./ ]+)|scope (?<scope>\w+)|timing (?<timing>\w+)|(?<points>[\d.]+) points? per 1\.00)$/.exec(
      text,
    )?.groups ?? {};
  if (ratios) return { people_per_cycle: ratios.split(" / ").length, tier_ratios: ratios.split(" / ").map(Number) };
  if (scope) return { brokerage_scope: scope };
  if (timing) return { brokerage_timing: timing };
  if (points) return { points_per_brokerage: Number(points) };
  throw new Error(`This is not a setting of the plan: ${text}`);
}

/** The index of the pattern that an event matches. @throws Error if it matches none */
export function formOfEvent(event: string): number {
  const form = FORMS.findIndex(({ pattern }) => pattern.test(event));
  if (form === -1) throw new Error(`This is not an event that can be played: ${event}`);
  return form;
}

export const NUMBER_OF_EVENT_FORMS = FORMS.length;

/** Applies an event to the store. */
export async function play(store: Store, event: string): Promise<void> {
  const { pattern, run } = FORMS[formOfEvent(event)]!;
  await run(store, pattern.exec(event)!.groups ?? {});
}
