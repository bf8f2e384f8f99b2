// What has happened so far, and what the rules find, answered from it anew. Nothing is counted along the way.
import { sum } from "./amounts.ts";
import type { Plan as NamedPlan, Row, Start } from "./format.ts";
import { accountOf, type Balances, isInDoubt, maturesAt, missedBase } from "./rules/balances.ts";
import { DAY } from "./rules/days.ts";
import { countTasks } from "./rules/levels.ts";
import { isCounted, type Order as OrderOfRules, type Refund as RefundOfRules } from "./rules/orders.ts";
import { type Level, levelsOf, type Plan, planOf } from "./rules/plans.ts";
import type { Cycle, Grant, Settlement as Decided } from "./rules/settlement.ts";

interface Refund extends RefundOfRules {
  paidBack: bigint;
}

interface Settlement extends Decided<string> {
  settledAt: number;
  /** A refund of the whole order has freed the place. */
  placeIsFreed: boolean;
}

export interface Order extends OrderOfRules {
  name: string;
  /** In the sequence in which orders were placed. */
  number: number;
  buyer: string;
  referrer: string | null;
  isCancelled: boolean;
  /** In force when it was paid. */
  plan: Plan | null;
  isShipped: boolean;
  /** It cost nothing, so it was paid when it was placed. */
  isFree: boolean;
  freightLeft: bigint;
  refunds: Refund[];
  settlement: Settlement | null;
  /** What it has granted. */
  grants: GrantRow[];
}

type SettledOrder = Order & { settlement: Settlement };

/** A row of the bill. */
export interface Booked extends Balances {
  at: number;
  member: string;
  type: Row["type"];
  source: Row["source"];
  order: Order | null;
  /** Of a row that a later refund computes again. */
  grant?: Grant;
  /** Of a reversal: what it takes back. */
  reverses?: Booked;
}

export type GrantRow = Booked & { grant: Grant };

export interface Member {
  referrer: string | null;
  level: number;
  isHeld: boolean;
  noAssess: boolean;
  /** Who asked for the deletion of the account has given up what they had: this is left of it. */
  left: { asked: boolean; givenUp: Balances } | null;
}

export interface Withdrawal {
  member: string;
  amount: bigint;
  state: "open" | "paid" | "returned";
}

const EAST = 8 * 3_600_000;

export class History {
  now = 0;
  plan: Plan;
  levels: Level[];
  readonly members = new Map<string, Member>();
  readonly orders = new Map<string, Order>();
  /** The orders of each buyer, those of whose settlement each member is the earner, and the rows of each member. */
  private readonly ordersOf = new Map<string, Order[]>();
  private readonly earnedBy = new Map<string, SettledOrder[]>();
  private readonly rowsOf = new Map<string, Booked[]>();
  readonly withdrawals = new Map<string, Withdrawal>();
  readonly bill: Booked[] = [];
  readonly releasedDays = new Set<string>();
  firstDay: string | null = null;
  private named: NamedPlan;

  constructor(readonly start: Start) {
    this.named = start.plan;
    this.plan = planOf(start.plan);
    this.levels = levelsOf(start.levels);
    for (const [name, referrer] of Object.entries(start.members))
      this.members.set(name, { referrer, level: 0, isHeld: false, noAssess: false, left: null });
  }

  /** What is not named stays. */
  changePlan(change: Partial<NamedPlan>): void {
    this.named = { ...this.named, ...change };
    this.plan = planOf(this.named);
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

  settle(order: Order, settlement: Settlement): void {
    order.settlement = settlement;
    if (settlement.earner !== null) add(this.earnedBy, settlement.earner, order as SettledOrder);
  }

  /** Rows of nothing are not written. */
  book(row: Omit<Booked, "at">): void {
    if (row.money === 0n && row.frozen === 0n && row.available === 0n) return;
    const booked = { ...row, at: this.now };
    this.bill.push(booked);
    add(this.rowsOf, row.member, booked);
    if (isGrant(booked)) row.order!.grants.push(booked);
  }

  rows = (member: string): Booked[] => this.rowsOf.get(member) ?? [];

  /** The sum of the rows, before a time if there is one. */
  balance = (member: string, of: keyof Balances, before = Infinity): bigint =>
    sum(
      this.rows(member)
        .filter((row) => row.at < before)
        .map((row) => row[of]),
    );

  balances = (member: string): Balances => ({
    money: this.balance(member, "money"),
    frozen: this.balance(member, "frozen"),
    available: this.balance(member, "available"),
  });

  ownOrders = (member: string): Order[] => this.ordersOf.get(member) ?? [];

  /** The last cycle in which a member has or had places. */
  cycleOf(member: string): Cycle | undefined {
    const places = this.earnedBy.get(member) ?? [];
    if (places.length === 0) return undefined;
    const number = Math.max(...places.map(({ settlement }) => settlement.cycle!));
    const { plan } = places.find(({ settlement }) => settlement.cycle === number)!.settlement;
    return { number, plan: plan!, taken: this.taken(member, number) };
  }

  /** The places of a cycle that are taken. */
  taken = (member: string, cycle: number): number[] =>
    (this.earnedBy.get(member) ?? []).flatMap(({ settlement }) =>
      settlement.cycle === cycle && !settlement.placeIsFreed ? [settlement.place!] : [],
    );

  /** The counts of the tasks of a member. */
  counts(member: string): ReturnType<typeof countTasks> {
    const below = [...this.members].filter(([name]) => this.above(name).includes(member));
    return countTasks(
      below.map(([name, { referrer, noAssess }]) => ({
        isDirect: referrer === member,
        noAssess,
        orders: this.ownOrders(name).filter(isCounted).length,
      })),
    );
  }

  /** What a member can withdraw, and what of the money they cannot. */
  account(member: string): ReturnType<typeof accountOf> {
    const commissions = this.rows(member)
      .filter((row) => isGrant(row) && row.grant.kind === "commission")
      .map((row) => ({
        left: this.remaining(row, "money"),
        maturesAt: maturesAt(row.order!, row.order!.plan!.holdingDays),
        isInDoubt: isInDoubt(row.order!),
      }));
    return accountOf(this.balance(member, "money"), this.member(member).left !== null, commissions, this.now);
  }

  /** What is left of a grant after its reversals. */
  remaining(grant: Booked, of: "money" | "points"): bigint {
    const rows = [grant, ...this.rows(grant.member).filter(({ reverses }) => reverses === grant)];
    return sum(rows.map(({ money, frozen, available }) => (of === "money" ? money : frozen + available)));
  }

  /** The business day of a time. */
  day = (time: number): string => new Date(time + EAST).toISOString().slice(0, 10);
  endOf = (day: string): number => Date.parse(day) + DAY - EAST;

  /** What is released from. */
  releaseBase(member: string, day: string): bigint {
    const frozen = this.balance(member, "frozen");
    const isMissed = day !== this.day(this.now);
    return isMissed ? missedBase(frozen, this.balance(member, "frozen", this.endOf(day))) : frozen;
  }
}

const isGrant = (row: Booked): row is GrantRow => row.grant !== undefined;

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
