import { countTasks } from "../../kit/rules/levels.ts";
import {
  isCounted,
  isRefundedWhole,
  isReported,
  openRequest,
  pointsLeft as pointsLeftOf,
} from "../../kit/rules/orders.ts";
import type { Plan } from "../../kit/rules/plans.ts";
import type { Cycle } from "../../kit/rules/settlement.ts";
import { money, points, ratio } from "./amounts.ts";
import type { Told } from "./events.ts";
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
  Product,
  Refund,
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

  /** The members below a member, at any depth. */
  below(number: number): number[] {
    return this.members.map((_, index) => index + 1).filter((other) => this.upline(other).includes(number));
  }

  /** The task counts of a member, recomputed from the orders on each call. */
  counters(number: number): ReturnType<typeof countTasks> {
    return countTasks(
      this.below(number).map((other) => ({
        isDirect: this.member(other).referrer === number,
        noAssess: this.member(other).noAssess,
        orders: this.countedOrders(other),
      })),
    );
  }

  /** The members and reported orders below a member: direct members, their orders, all members below, their orders. */
  team(number: number): number[] {
    const below = this.below(number);
    const direct = below.filter((other) => this.member(other).referrer === number);
    const orders = (members: number[]) =>
      this.orders.filter((order) => members.includes(order.buyer) && isReported(order)).length;
    return [direct.length, orders(direct), below.length, orders(below)];
  }

  ordersOf(buyer: number): Order[] {
    return this.orders.filter((order) => order.buyer === buyer);
  }

  countedOrders(buyer: number): number {
    return this.ordersOf(buyer).filter(isCounted).length;
  }

  /** A cycle of a member by its number from 1, as the rules see it. */
  cycle(member: number, number: number): Cycle | undefined {
    const cycle = this.member(member).cycles[number - 1];
    if (!cycle) return undefined;
    const taken = cycle.places.flatMap((order, index) => (order === null ? [] : [index + 1]));
    return { number, plan: this.plan(cycle.plan), taken };
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

/** The points that an order has spent and not returned. */
export const pointsLeft = ({ state, lines }: Order): bigint => (state === "cancelled" ? 0n : pointsLeftOf(lines));

/** Whether a refund has paid something back, or would have, had it cost anything. */
export const isPaidBack = ({ state }: Refund): boolean => state === "refunded" || state === "partly_refunded";

/** Whether somebody who left gave up all that they had. */
export const hasGivenUp = (member: Member): member is Member & { left: Leaving } => member.left?.isDeletion ?? false;

/** 0 none, 1 requested, 2 refunded, 3 partly refunded. */
export function refundStatus(order: Order): number {
  if (openRequest(order)) return 1;
  if (isPaid(order) && isRefundedWhole(order.lines)) return 2;
  return order.refunds.some(isPaidBack) ? 3 : 0;
}
