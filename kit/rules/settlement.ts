// What a settlement decides: who earns, at which place and rate, and what the members above the buyer get.
import { least } from "../amounts.ts";
import type { Result } from "../format.ts";
import { baseOf, isReported, type Line, type Order, unitsOf } from "./orders.ts";
import type { Level, Plan } from "./plans.ts";

/** Why nobody earns. */
type Reason = NonNullable<Result["settlements"][string]["reason"]>;

/** The last cycle of a member. */
export interface Cycle {
  number: number;
  /** That of the order which opened it. */
  plan: Plan;
  /** The places that are taken, from 1. */
  taken: number[];
}

/** What a settlement finds. */
export interface Found<Member> {
  /** In force when the order was paid. */
  plan: Plan;
  /** The cap of the plan in force now. */
  payoutCap: bigint;
  /** The members above the buyer, from the referrer of the order upwards. */
  above: Member[];
  hasLeft: (member: Member) => boolean;
  ownOrders: (member: Member) => Order[];
  levelOf: (member: Member) => Pick<Level, "directPoints" | "umbrellaPoints">;
  cycleOf: (member: Member) => Cycle | undefined;
}

/**
 * What is granted is its basis times its rate, rounded down: of the base in cents at a ratio, of this commission in
 * points for 1.00, or of units in points for each.
 */
export interface Grant {
  kind: "commission" | "commission_points" | "level_points";
  rate: bigint;
}

/** A grant of a settlement. */
export interface Granted<Member> extends Grant {
  member: Member;
  source: "cycle" | "direct" | "umbrella";
  /** The greatest umbrella points below a member who gets some. */
  passedOn: bigint | null;
}

/** What was decided about the commission. */
export interface Settlement<Member> {
  /** refunded: nothing is left of the order. */
  state: "settled" | "refunded";
  earner: Member | null;
  reason: Reason | null;
  cycle: number | null;
  place: number | null;
  /** Of the cycle. */
  plan: Plan | null;
  /** The ratio of the place. */
  ratio: bigint | null;
  /** The ratio, or the lower of the caps of the plan of the cycle and of the plan in force. */
  rate: bigint | null;
}

/**
 * Decides the settlement of a paid order, at the levels before anybody rises by it (R1, R4 to R7).
 * @returns the grants in the sequence in which they are booked; some can be of nothing
 */
export function decideSettlement<Member>(
  order: Order,
  found: Found<Member>,
): { settlement: Settlement<Member>; grants: Granted<Member>[] } {
  const chain = found.above.slice(0, found.plan.maxDepth ?? undefined);
  const decided = findEarner(order, found, chain);
  const commission = "reason" in decided ? undefined : commissionAt(found, decided.earner);
  const paysPoints = baseOf(order.lines) > 0n && !order.isBelowMinimum;
  return {
    settlement: {
      state: unitsOf(order.lines) === 0 ? "refunded" : "settled",
      ...{ earner: null, reason: null, cycle: null, place: null, plan: null, ratio: null, rate: null },
      ...decided,
      ...commission?.place,
    },
    grants: [...(commission?.grants ?? []), ...(paysPoints ? levelPoints(found, chain) : [])],
  };
}

function findEarner<Member>(
  order: Order,
  found: Found<Member>,
  chain: Member[],
): { earner: Member } | { reason: Reason } {
  if (unitsOf(order.lines) === 0) return { reason: "refunded" };
  if (order.isBelowMinimum) return { reason: "below_minimum" };
  if (baseOf(order.lines) === 0n) return { reason: "zero_base" };
  const [referrer] = chain;
  if (referrer === undefined) return { reason: "no_referrer" };
  const isDirect = found.plan.scope === "direct";
  const isEarner = (member: Member) => isEligible(found.hasLeft(member), found.ownOrders(member), order.paidAt!);
  const earner = (isDirect ? [referrer] : chain).find(isEarner);
  if (earner !== undefined) return { earner };
  if (!isDirect) return { reason: "nobody_eligible" };
  return { reason: found.hasLeft(referrer) ? "referrer_left" : "referrer_not_eligible" };
}

/** R4: a reported order of their own, paid no later than the order that is settled. Nobody who has left. */
export const isEligible = (hasLeft: boolean, ownOrders: Order[], paidAt: number): boolean =>
  !hasLeft && ownOrders.some((own) => isReported(own) && own.paidAt! <= paidAt);

function commissionAt<Member>(found: Found<Member>, earner: Member) {
  const place = nextPlace(found.cycleOf(earner), found.plan);
  const { tierRatios, payoutCap, pointsPerBrokerage } = place.plan;
  const ratio = tierRatios[place.place - 1]!;
  const rate = least(ratio, payoutCap, found.payoutCap);
  const grants: Granted<Member>[] = [
    { member: earner, kind: "commission", source: "cycle", rate, passedOn: null },
    { member: earner, kind: "commission_points", source: "cycle", rate: pointsPerBrokerage, passedOn: null },
  ];
  return { place: { ...place, ratio, rate }, grants };
}

/** The lowest free place of the cycle, or the first of the next one, which has the plan of the order. */
function nextPlace(cycle: Cycle | undefined, plan: Plan): { cycle: number; place: number; plan: Plan } {
  if (cycle === undefined || isFull(cycle)) return { cycle: (cycle?.number ?? 0) + 1, place: 1, plan };
  let place = 1;
  while (cycle.taken.includes(place)) place += 1;
  return { cycle: cycle.number, place, plan: cycle.plan };
}

/** A cycle is full, and stays closed, once all its places are taken. */
export const isFull = ({ plan, taken }: Pick<Cycle, "plan" | "taken">): boolean => taken.length === plan.peoplePerCycle;

/**
 * Direct points for the referrer, then what the umbrella points of each member exceed those of everybody below (R6,
 * R7). Who has left counts as a level without any points.
 */
function levelPoints<Member>(found: Found<Member>, chain: Member[]): Granted<Member>[] {
  let passedOn = 0n;
  return chain.map((member, index) => {
    const { directPoints, umbrellaPoints } = found.hasLeft(member)
      ? { directPoints: 0n, umbrellaPoints: 0n }
      : found.levelOf(member);
    const below = passedOn;
    if (umbrellaPoints > passedOn) passedOn = umbrellaPoints;
    return index === 0
      ? { member, kind: "level_points", source: "direct", rate: directPoints, passedOn: null }
      : { member, kind: "level_points", source: "umbrella", rate: passedOn - below, passedOn: below };
  });
}

/** What a grant is computed from, for what is left of the order: a base of zero pays no points either. */
export function basisOf(kind: Grant["kind"], lines: Line[], commissionRate: bigint | null): bigint {
  const base = baseOf(lines);
  if (kind === "commission") return base;
  if (kind === "level_points") return base === 0n ? 0n : BigInt(unitsOf(lines));
  return amountOf({ kind: "commission", rate: commissionRate ?? 0n }, base);
}

/** In cents or 1/10000 points. */
export function amountOf({ kind, rate }: Grant, basis: bigint): bigint {
  return (basis * rate) / { commission: 100_000n, commission_points: 100n, level_points: 1n }[kind];
}
