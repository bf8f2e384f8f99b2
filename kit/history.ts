// What has happened so far, and every question of the rules, answered from it anew. Nothing is counted along the way.
import { least, sum } from "./amounts.ts";
import type { Level, Plan, Row, Start } from "./format.ts";

export interface Line {
  isQueueGoods: boolean;
  units: number;
  left: number;
  /** After discount and points. */
  paid: bigint;
  points: bigint;
  /** Amounts that were paid back while the goods were kept, with the units that were left then. */
  concessions: { amount: bigint; left: number }[];
}

/** A request with its answer, or a refund that nobody has asked for. */
export interface Refund {
  state: "requested" | "refunded" | "partly_refunded" | "refused" | "taken_back";
  /** The units that a request asks for, by line. */
  asked: Map<number, number>;
  paidBack: bigint;
}

export interface Settled {
  at: number;
  earner: string | null;
  reason: string | null;
  cycle: number | null;
  place: number | null;
  rate: bigint | null;
  /** The plan of the cycle. */
  plan: Plan | null;
  /** A refund of the whole order has freed the place. */
  isFreed: boolean;
  /** Nothing was left of the order when it was settled. */
  isRefunded: boolean;
}

export interface Order {
  name: string;
  /** In the sequence in which orders were placed. */
  number: number;
  buyer: string;
  referrer: string | null;
  lines: Line[];
  isCancelled: boolean;
  paidAt: number | null;
  receivedAt: number | null;
  /** In force when it was paid. */
  plan: Plan | null;
  isBelowMinimum: boolean;
  isShipped: boolean;
  /** It cost nothing, so it was paid when it was placed. */
  isFree: boolean;
  freightLeft: bigint;
  refunds: Refund[];
  settled: Settled | null;
  /** What it has granted. */
  grants: Booked[];
}

/** A row of the bill. What a later refund has to recompute is kept with what granted it. */
export interface Booked {
  at: number;
  member: string;
  type: Row["type"];
  source: Row["source"];
  order: Order | null;
  money: bigint;
  frozen: bigint;
  available: bigint;
  /** Of a grant: what it should be for what is left of its order. */
  target?: () => bigint;
  /** Of a reversal: the grant. */
  reverses?: Booked;
}

export interface Member {
  referrer: string | null;
  level: number;
  isHeld: boolean;
  noAssess: boolean;
  /** Who asked for the deletion of the account has given up what they had: this is left of it. */
  left: { asked: boolean; givenUp: Record<"money" | "frozen" | "available", bigint> } | null;
}

export interface Withdrawal {
  member: string;
  amount: bigint;
  state: "open" | "paid" | "returned";
}

const DAY = 86_400_000;
const EAST = 8 * 3_600_000;

export class History {
  now = 0;
  plan: Plan;
  levels: Level[];
  readonly members = new Map<string, Member>();
  readonly orders = new Map<string, Order>();
  /** The orders of each buyer, those of whose settlement each member is the earner, and the rows of each member. */
  private readonly ordersOf = new Map<string, Order[]>();
  private readonly earnedBy = new Map<string, (Order & { settled: Settled })[]>();
  private readonly rowsOf = new Map<string, Booked[]>();
  readonly withdrawals = new Map<string, Withdrawal>();
  readonly bill: Booked[] = [];
  readonly releasedDays = new Set<string>();
  firstDay: string | null = null;

  constructor(readonly start: Start) {
    this.plan = start.plan;
    this.levels = start.levels;
    for (const [name, referrer] of Object.entries(start.members))
      this.members.set(name, { referrer, level: 0, isHeld: false, noAssess: false, left: null });
  }

  member = (name: string): Member => found(this.members.get(name), name);
  order = (name: string): Order => found(this.orders.get(name), name);
  level = (grade: number): Level =>
    found(
      this.levels.find((level) => level.grade === grade),
      `grade ${grade}`,
    );

  /** The members above, nearest first. */
  above(name: string): string[] {
    const { referrer } = this.member(name);
    return referrer === null ? [] : [referrer, ...this.above(referrer)];
  }

  place(order: Order): void {
    this.orders.set(order.name, order);
    add(this.ordersOf, order.buyer, order);
  }

  settle(order: Order, settled: Settled): void {
    order.settled = settled;
    if (settled.earner !== null) add(this.earnedBy, settled.earner, order as Order & { settled: Settled });
  }

  /** Rows of nothing are not written. A row with a target is a grant. */
  book(row: Omit<Booked, "at">): void {
    if (row.money === 0n && row.frozen === 0n && row.available === 0n) return;
    const booked = { ...row, at: this.now };
    this.bill.push(booked);
    add(this.rowsOf, row.member, booked);
    if (row.target) row.order!.grants.push(booked);
  }

  rows = (member: string): Booked[] => this.rowsOf.get(member) ?? [];

  /** The sum of the rows, before a time if there is one. */
  balance = (member: string, of: "money" | "frozen" | "available", before = Infinity): bigint =>
    sum(
      this.rows(member)
        .filter((row) => row.at < before)
        .map((row) => row[of]),
    );

  /**
   * R4: a reported order of their own, paid no later than the order that is settled, and not refunded. Nobody who has
   * left.
   */
  isEligible(member: string, order: Order): boolean {
    if (this.member(member).left) return false;
    return (this.ordersOf.get(member) ?? []).some((own) => isReported(own) && own.paidAt! <= order.paidAt!);
  }

  /** The settled orders that have or had places in the cycles of a member. */
  places = (member: string): (Order & { settled: Settled })[] => this.earnedBy.get(member) ?? [];

  /** The places of a cycle that are taken. It is full, and stays closed, once all are. */
  taken = (member: string, cycle: number): number[] =>
    this.places(member).flatMap(({ settled }) => (settled.cycle === cycle && !settled.isFreed ? [settled.place!] : []));

  /** The next free place of a member, and the plan of its cycle: that of the order which opened it. */
  nextPlace(member: string, order: Order): { cycle: number; place: number; plan: Plan } {
    const places = this.places(member);
    const last = Math.max(0, ...places.map(({ settled }) => settled.cycle!));
    const plan = last > 0 ? places.find(({ settled }) => settled.cycle === last)!.settled.plan! : order.plan!;
    const taken = this.taken(member, last);
    if (last === 0 || taken.length === plan.people_per_cycle) return { cycle: last + 1, place: 1, plan: order.plan! };
    return {
      cycle: last,
      place: Array.from({ length: plan.people_per_cycle }, (_, index) => index + 1).find(
        (each) => !taken.includes(each),
      )!,
      plan,
    };
  }

  /**
   * The counts of the tasks (R8, R9): settled orders without a refund of everything or a request for one, of members
   * who are assessed.
   */
  counts(member: string): Record<keyof Level["tasks"], number> {
    const orders = [...this.orders.values()].filter((order) => isCounted(order) && !this.member(order.buyer).noAssess);
    const umbrella = orders.filter(({ buyer }) => this.above(buyer).includes(member));
    const direct = umbrella.filter(({ buyer }) => this.member(buyer).referrer === member);
    const buyers = (some: Order[]) => new Set(some.map(({ buyer }) => buyer)).size;
    return {
      direct_orders: direct.length,
      umbrella_orders: umbrella.length,
      direct_members: buyers(direct),
      umbrella_members: buyers(umbrella),
    };
  }

  /**
   * Commission that cannot be withdrawn yet: its order was received, or settled, less than the holding days of its plan
   * ago. Nothing of those who left matures: their balance is given up or owed as a whole.
   */
  maturing(member: string): bigint {
    return this.member(member).left ? 0n : this.commissionOf(member, (order) => maturesAt(order) > this.now);
  }

  /** Matured commission of orders whose buyers wait for the answer to a request about queue goods. */
  inDoubt(member: string): bigint {
    const isHeld = (order: Order) => maturesAt(order) <= this.now && asksForQueueGoods(order);
    return this.commissionOf(member, isHeld);
  }

  /** What of it is in the balance of a member, who has not left. The rest was withdrawn. */
  heldByRefunds(member: string): bigint {
    if (this.member(member).left) return 0n;
    const matured = this.balance(member, "money") - this.maturing(member);
    return matured > 0n ? least(matured, this.inDoubt(member)) : 0n;
  }

  withdrawable = (member: string): bigint =>
    this.balance(member, "money") - this.maturing(member) - this.heldByRefunds(member);

  private commissionOf(member: string, isOf: (order: Order) => boolean): bigint {
    const grants = this.rows(member).filter(({ type, order }) => type === "brokerage" && isOf(order!));
    return sum(grants.map((grant) => this.remaining(grant, "money")));
  }

  /** What is left of a grant after its reversals. */
  remaining(grant: Booked, of: "money" | "points"): bigint {
    const rows = [grant, ...this.rows(grant.member).filter(({ reverses }) => reverses === grant)];
    return sum(rows.map(({ money, frozen, available }) => (of === "money" ? money : frozen + available)));
  }

  /** The business day of a time. */
  day = (time: number): string => new Date(time + EAST).toISOString().slice(0, 10);
  endOf = (day: string): number => Date.parse(day) + DAY - EAST;

  /** From the first day to today. */
  daysSince(first: string): string[] {
    const days: string[] = [];
    for (let time = Date.parse(first); time <= Date.parse(this.day(this.now)); time += DAY)
      days.push(new Date(time).toISOString().slice(0, 10));
    return days;
  }

  /** What is released from. Of a missed day it is the lesser of the balances now and at its end. */
  releaseBase(member: string, day: string): bigint {
    const frozen = this.balance(member, "frozen");
    return day === this.day(this.now) ? frozen : least(frozen, this.balance(member, "frozen", this.endOf(day)));
  }
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** @throws Error if the vector names what it has not made */
function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The vector has no ${name}.`);
  return value;
}

/** What is left of the points that paid for a line. Only units return points. */
export const pointsLeft = ({ points, units, left }: Line): bigint => (points * BigInt(left)) / BigInt(units);

/**
 * What is left of the money that was paid for a line: each unit costs its part of the price, less its part of each
 * concession.
 */
export function paidLeft({ paid, units, concessions }: Line, left: number): bigint {
  const shared = [BigInt(units), ...concessions.map((each) => BigInt(each.left))];
  const whole = shared.reduce((product, part) => product * part, 1n);
  const conceded = sum(concessions.map((each) => (each.amount * whole) / BigInt(each.left)));
  return (BigInt(left) * ((paid * whole) / BigInt(units) - conceded)) / whole;
}

export const openRequest = ({ refunds }: Order): Refund | undefined =>
  refunds.find(({ state }) => state === "requested");
const asksForQueueGoods = (order: Order): boolean =>
  [...(openRequest(order)?.asked.keys() ?? [])].some((line) => order.lines[line - 1]!.isQueueGoods);

const queueLines = ({ lines }: Order) => lines.filter(({ isQueueGoods }) => isQueueGoods);
/** What was paid for the queue goods that are left (R1). */
export const baseOf = (order: Order): bigint => sum(queueLines(order).map((line) => paidLeft(line, line.left)));
export const unitsOf = (order: Order): number => queueLines(order).reduce((units, line) => units + line.left, 0);
export const hasQueueGoods = (order: Order): boolean => queueLines(order).length > 0;
export const isRefundedWhole = ({ lines }: Order): boolean => lines.every((line) => line.left === 0);

/** A reported order: paid, with queue goods of which something is left, and not below the minimum (R4). */
const isReported = (order: Order): boolean => order.paidAt !== null && !order.isBelowMinimum && unitsOf(order) > 0;
export const isCounted = (order: Order): boolean =>
  order.settled !== null && !order.settled.isRefunded && isReported(order) && !openRequest(order);

const maturesAt = ({ receivedAt, settled, plan }: Order): number =>
  Math.max(receivedAt ?? Infinity, settled!.at) + plan!.holding_days * DAY;
