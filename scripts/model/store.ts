import { money, points, ratio } from "./amounts.ts";
import type { Told } from "./events.ts";
import { amountLeft, paidLeft } from "./rules.ts";
import type { TaxMethod } from "./actions.ts";
import type {
  Adjustment,
  Allowance,
  BillEntry,
  Job,
  Leaving,
  Level,
  Member,
  Order,
  OrderLine,
  Plan,
  Product,
  Refund,
  TaskType,
  Withdrawal,
  Withholding,
} from "./state.ts";
import { DAY, MINUTE } from "./time.ts";

/** The products of a history. The database under test has the same. */
export const PRODUCTS = [
  { price: "3600.00", freight: "0.00", isQueueGoods: true, isOnSale: true, stock: null },
  { price: "33.33", freight: "5.00", isQueueGoods: true, isOnSale: true, stock: 12 },
  { price: "0.01", freight: "0.00", isQueueGoods: true, isOnSale: true, stock: null },
  { price: "0.00", freight: "0.00", isQueueGoods: true, isOnSale: true, stock: null },
  { price: "99.90", freight: "12.00", isQueueGoods: false, isOnSale: true, stock: 12 },
  { price: "3600.00", freight: "0.00", isQueueGoods: true, isOnSale: false, stock: null },
  { price: "7.77", freight: "0.00", isQueueGoods: false, isOnSale: true, stock: null },
];

/** The setting of the database under test. */
export const REFUND_WINDOW = 2;

/** The start time of every history, in milliseconds. */
export const START = Date.UTC(2025, 2, 1, 3);
/** Asia/Shanghai, which has no summer time. */
const SHANGHAI = 8 * 60 * MINUTE;

/** An error of the store, with its code. */
export class Rejected extends Error {}

export function reject(code: string): never {
  throw new Rejected(code);
}

/** The state of the store, and the queries of the rules. */
export class Store {
  now = START;
  /** The time zone, in milliseconds east of UTC. */
  zone = SHANGHAI;
  readonly products: Product[] = PRODUCTS.map((product) => ({ ...product, price: money(product.price) }));
  readonly members: Member[] = [];
  readonly orders: Order[] = [];
  readonly withdrawals: Withdrawal[] = [];
  readonly adjustments: Adjustment[] = [];
  taxMethod: TaxMethod = "none";
  readonly withholdings: Withholding[] = [];
  readonly allowances: Allowance[] = [];
  /** What each administrator has adjusted alone, by administrator and business day. */
  readonly decidedAlone = new Map<string, { money: bigint; points: bigint }>();
  /** The members who are administrators. */
  readonly administrators = new Set<number>();
  readonly jobs = new Map<number, Job>();
  /** Business days whose release was run. */
  readonly releaseDays = new Set<string>();
  /** The day of the first release without a day. From then on, days can be missed. */
  firstDailyRelease: string | null = null;
  readonly plans: Plan[] = [
    {
      peoplePerCycle: 3,
      tierRatios: ["0.2", "0.3", "0.5"].map(ratio),
      scope: "direct",
      timing: "on_pay",
      pointsPerBrokerage: points("1"),
      maxDepth: null,
      payoutCap: ratio("1"),
      minimumBase: money("0.01"),
      holdingDays: 7,
    },
  ];
  levels: Level[] = [
    { grade: 0, directPoints: points("0"), umbrellaPoints: points("0"), isActive: true, tasks: {} },
    { grade: 1, directPoints: points("500"), umbrellaPoints: points("0"), isActive: true, tasks: { direct_orders: 3 } },
    {
      grade: 2,
      directPoints: points("800"),
      umbrellaPoints: points("300"),
      isActive: true,
      tasks: { umbrella_orders: 30, direct_members: 3 },
    },
    {
      grade: 3,
      directPoints: points("1000"),
      umbrellaPoints: points("500"),
      isActive: true,
      tasks: { umbrella_orders: 100, direct_members: 3 },
    },
    {
      grade: 4,
      directPoints: points("1300"),
      umbrellaPoints: points("800"),
      isActive: true,
      tasks: { umbrella_orders: 1000, direct_members: 3 },
    },
  ];
  /** Points for 1.00 in 1/100, and the greatest share that they pay. */
  pointsTerms = { rate: money("1"), maxShare: ratio("0.5") };
  /** For how many days after the receipt a buyer can ask for a refund. */
  refundWindow = REFUND_WINDOW;
  /** The months whose releases the store has compacted, YYYY-MM, as it reports. */
  compacted: string[] = [];
  /** Orders whose settlement fails on purpose. */
  broken: number[] = [];
  /** What was told, in sequence. */
  readonly told: Told[] = [];
  /** Orders of which was told that their commission has matured, or that they are about to expire. */
  readonly announced = new Set<number>();
  readonly reminded = new Set<number>();

  tell(
    type: string,
    subject: number,
    member: number | null,
    payload: Record<string, unknown> = {},
    cause = "job",
  ): void {
    this.told.push({ type, subject, member, payload, cause });
  }

  /** Does something. If it is rejected, nothing was told. */
  attempt<Result>(work: () => Result): Result {
    const before = this.told.length;
    try {
      return work();
    } catch (error) {
      this.told.length = before;
      throw error;
    }
  }

  addToStock(number: number, units: number): void {
    const product = this.products[number - 1]!;
    if (product.stock !== null) product.stock += units;
  }

  wait(minutes: number): void {
    this.now += minutes * MINUTE;
  }

  /** The business day some days from now, as YYYY-MM-DD. */
  businessDay(daysFromToday = 0): string {
    return new Date(this.now + this.zone + daysFromToday * DAY).toISOString().slice(0, 10);
  }

  /** The time at which a business day ends. */
  endOf(day: string): number {
    return Date.parse(`${day}T00:00:00Z`) + DAY - this.zone;
  }

  member(number: number): Member {
    return this.members[number - 1] ?? reject("user_not_found");
  }

  order(number: number): Order {
    return this.orders[number - 1] ?? reject("order_not_found");
  }

  plan(index: number): Plan {
    return this.plans[index]!;
  }

  level(grade: number): Level {
    return this.levels[grade]!;
  }

  topGrade(): number {
    return this.levels.findLast((level) => level.isActive)!.grade;
  }

  /** The members above, nearest first. */
  upline(number: number): number[] {
    const { referrer } = this.member(number);
    return referrer === 0 ? [] : [referrer, ...this.upline(referrer)];
  }

  /** The task counts of a member, recomputed from the orders on each call (R8, R9). */
  counters(number: number): Record<TaskType, number> {
    const counters = { direct_orders: 0, umbrella_orders: 0, direct_members: 0, umbrella_members: 0 };
    this.members.forEach((member, index) => {
      const isBelow = this.upline(index + 1).includes(number);
      const orders = member.noAssess ? 0 : this.countedOrders(index + 1);
      if (!isBelow || orders === 0) return;
      counters.umbrella_orders += orders;
      counters.umbrella_members += 1;
      if (member.referrer !== number) return;
      counters.direct_orders += orders;
      counters.direct_members += 1;
    });
    return counters;
  }

  /** The members and reported orders below a member: direct members, their orders, all members below, their orders. */
  team(number: number): number[] {
    const below = this.members.map((_, index) => index + 1).filter((other) => this.upline(other).includes(number));
    const direct = below.filter((other) => this.member(other).referrer === number);
    const orders = (members: number[]) =>
      this.orders.filter((order) => members.includes(order.buyer) && isReported(order)).length;
    return [direct.length, orders(direct), below.length, orders(below)];
  }

  countedOrders(buyer: number): number {
    return this.orders.filter((order) => order.buyer === buyer && isCounted(order)).length;
  }

  /** Writes a bill row unless its amount is zero. @returns whether it was written */
  book(number: number, entry: BillEntry): boolean {
    if (entry.brokerage === 0n && entry.frozen === 0n && entry.available === 0n) return false;
    const member = this.member(number);
    member.brokerage += entry.brokerage;
    member.frozen += entry.frozen;
    member.available += entry.available;
    member.bill.push({
      ...entry,
      at: this.now,
      brokerageAfter: member.brokerage,
      frozenAfter: member.frozen,
      availableAfter: member.available,
    });
    return true;
  }
}

export function isPaid(order: Order): boolean {
  return order.paidAt !== null;
}

export function hasQueueGoods(order: Order): boolean {
  return order.lines.some((line) => line.isQueueGoods);
}

/** Units of queue goods that are not refunded. */
export function queueUnits(order: Order): number {
  return order.lines.reduce((sum, line) => sum + (line.isQueueGoods ? line.unitsLeft : 0), 0);
}

/** What is left of the points that paid for an order. */
export function pointsLeft(order: Order): bigint {
  if (order.state === "cancelled") return 0n;
  return order.lines.reduce((sum, line) => sum + amountLeft(line.points, line.quantity, line.unitsLeft), 0n);
}

/** What was paid for the queue goods that are not refunded (R1). */
export function queueBase(order: Order): bigint {
  return order.lines.reduce((sum, line) => sum + (line.isQueueGoods ? leftOf(line) : 0n), 0n);
}

/** What is left of what was paid for a line: for its units, or for as many. */
export function leftOf({ paid, quantity, unitsLeft, concessions }: OrderLine, units = unitsLeft): bigint {
  return paidLeft(paid, quantity, units, concessions);
}

export function openRequest(order: Order): Refund | undefined {
  return order.refunds.find((refund) => refund.state === "requested");
}

/** Whether a refund has paid something back, or would have, had it cost anything. */
export const isPaidBack = ({ state }: Refund): boolean => state === "refunded" || state === "partly_refunded";

/** Whether somebody who left gave up all that they had. */
export const hasGivenUp = (member: Member): member is Member & { left: Leaving } => member.left?.isDeletion ?? false;

/** 0 none, 1 requested, 2 refunded, 3 partly refunded. */
export function refundStatus(order: Order): number {
  if (openRequest(order)) return 1;
  if (isPaid(order) && order.lines.every((line) => line.unitsLeft === 0)) return 2;
  return order.refunds.some(isPaidBack) ? 3 : 0;
}

/**
 * Whether an order is a reported order: paid, and not below the minimum base, with queue goods of which something is
 * left (R4).
 */
export function isReported(order: Order): boolean {
  return isPaid(order) && !order.isBelowMinimum && queueUnits(order) > 0;
}

/** Whether an order counts for the tasks of its buyer's upline, if its buyer does (R8). */
export function isCounted(order: Order): boolean {
  return (
    order.settlement?.state === "settled" &&
    queueUnits(order) > 0 &&
    !order.isBelowMinimum &&
    [0, 3].includes(refundStatus(order))
  );
}
