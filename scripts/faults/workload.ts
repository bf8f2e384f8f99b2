import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../demo/random.ts";
import type { Reply, Requests } from "./requests.ts";
import type { FaultStack } from "./stack.ts";

/** A write that the store has acknowledged, with what its response says. */
export interface Acknowledged {
  kind: Kind;
  key: string;
  /** The order, withdrawal or account that it created or changed, or the uid of a new member. */
  id: number;
  uid?: number;
  amount?: string;
}

export type Kind =
  | "sign_up"
  | "order"
  | "cancel"
  | "pay_offline"
  | "pay_provider"
  | "deliver"
  | "receive"
  | "request_refund"
  | "refuse_refund"
  | "refund"
  | "account"
  | "withdraw"
  | "approve"
  | "paid"
  | "refuse"
  | "adjust"
  | "approve_adjustment"
  | "refuse_adjustment"
  | "plan";

interface Member {
  email: string;
  uid: number;
  token: string;
  account?: number;
}

interface Order {
  id: number;
  no: string;
  buyer: Member;
  /** The order that makes a member eligible is never refunded: whoever is below can then count on it. */
  isFirst: boolean;
  state: "unpaid" | "paid" | "delivered" | "received" | "cancelled";
  lines: { id: number; quantity: number }[];
  isBusy: boolean;
}

const CLIENTS = 8;
const MEMBERS = 150;
/** Of the products of the model: queue goods with and without a limited stock, and goods that points can pay for. */
const QUEUE_GOODS = [1, 1, 1, 2];
const OTHERS = [5, 7, 7];
/** More than anybody has: as many as possible. */
const ALL_POINTS = 9_999_999;
/** Within the limits of the settings, and above them. Frozen points may be more than a member has. */
const ADJUSTMENTS = [
  { brokerage: "10.00" },
  { brokerage: "-10.00", available_points: 5.5 },
  { frozen_points: 12.5 },
  { brokerage: "720.00" },
  { frozen_points: -20.5 },
];
/**
 * The payout cap stays: a settlement takes that of the newest plan that it sees, and does not record which one that
 * was.
 */
const PLANS = [
  { brokerage_timing: "confirm" },
  { brokerage_timing: "on_pay" },
  { brokerage_timing: "on_pay" },
  { brokerage_scope: "umbrella" },
  { brokerage_scope: "direct" },
  { people_per_cycle: 2, tier_ratios: [0.1, 0.4] },
  { people_per_cycle: 3, tier_ratios: [0.2, 0.3, 0.5] },
  { points_per_brokerage: 0.5 },
  { points_per_brokerage: 1 },
  { max_depth: 3 },
  { max_depth: null },
  { minimum_base: "50.00" },
  { minimum_base: "0.01" },
];
const PASSWORD = "correct horse battery";
/**
 * Why the store refuses what these clients ask for, by request: the code, with what the first error points to. Others
 * change the same orders and balances meanwhile, and some requests ask for too much. Everything else is asked for by
 * one client, about what nobody else changes, and must succeed.
 */
const REFUSALS: Record<string, string[]> = {
  "POST /api/order": ["out_of_stock", "too_many_unpaid_orders"],
  "PUT /api/order/{id}/receive": ["order_state_conflict"],
  "POST /adminapi/shipping": ["order_state_conflict"],
  "POST /api/order/{id}/refund": [
    "order_state_conflict",
    "refund_state_conflict",
    "refund_exceeds_order",
    "refund_window_over",
  ],
  "PUT /adminapi/order/{id}/refund/refuse": ["order_state_conflict", "refund_not_found"],
  "PUT /adminapi/order/{id}/refund": ["order_state_conflict", "refund_exceeds_order"],
  "POST /api/withdrawal": ["withdrawal_open", "withdrawal_exceeds_balance"],
  // Until the requests of buyers are answered.
  "PUT /adminapi/withdrawal/{id}/approve": ["held_by_refunds /held_by_refunds"],
  "PUT /adminapi/withdrawal/{id}/paid": ["held_by_refunds /held_by_refunds"],
  "POST /adminapi/adjustment": ["invalid_argument /frozen_points"],
};
const AUTH_PATIENCE_MS = 10_000;
const PROVIDER_PATIENCE_MS = 60_000;

/** Members and administrators who use the store at random, each request until it has a result. */
export class Workload {
  readonly acknowledged: Acknowledged[] = [];
  /** Orders that were placed with as many points as possible, by their keys. */
  readonly withPoints = new Set<string>();
  /** How often each request was refused for each reason. */
  readonly refusals: Record<string, number> = {};
  /** Called after a payment was acknowledged, before its settlement can have ended. */
  afterPayment: () => void = () => undefined;
  /**
   * The member whose balances are locked, whom these clients leave alone: otherwise, all of them would soon wait for
   * one row.
   */
  private locked: number | undefined;
  private readonly members: Member[] = [];
  private readonly orders: Order[] = [];
  private readonly withdrawals: { id: number; isApproved: boolean }[] = [];
  private readonly waitingAdjustments: { id: number; by: Member }[] = [];
  private admins: Member[] = [];
  /** Whose each token is or was. */
  private readonly holders = new Map<string, Member>();
  private isChangingPlan = false;
  private clients: Promise<void>[] = [];
  private isOver = false;
  private keys = 0;

  constructor(
    private readonly stack: FaultStack,
    private readonly requests: Requests,
    private readonly random: Random,
  ) {}

  /** Creates the administrator and the first members. */
  async prepare(): Promise<void> {
    for (const email of ["office@example.com", "cashier@example.com"]) {
      await this.account(email, {});
      await this.stack.with((sql) => sql`select app.add_administrator(${email})`, "owner");
      this.admins.push((await this.account(email, {}))!);
    }
    // One administrator marks more orders as paid than one may alone on a day, and a few members do what many would in
    // an hour. Days are released in ranges.
    await this.stack.with(
      (sql) =>
        sql`update app.settings set max_unpaid_units = 1000000, max_unpaid_share = 1, first_order_minutes = 129600, offline_payment_limit = 100000000, withdrawal_limit = 100000000, orders_per_hour = 100000, cancellations_per_hour = 100000, keys_per_hour = 100000,
          night_sessions = 2`,
      "owner",
    );
    for (let count = 0; count < 5; count += 1) await this.signUp();
  }

  start(): void {
    this.isOver = false;
    this.clients = Array.from({ length: CLIENTS }, () => this.useStore());
  }

  /** A member whose balances are locked meanwhile buys with points, and gets the order in the end. */
  startLocked(uid: number): void {
    this.locked = uid;
    const member = this.members.find((each) => each.uid === uid);
    if (member)
      this.clients.push(this.place(member, [{ product_id: 7, quantity: 1 }], true, false).then(() => undefined));
  }

  endLocked(): void {
    this.locked = undefined;
  }

  /** Lets every client end what it has begun. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
  }

  private async useStore(): Promise<void> {
    while (!this.isOver) {
      const action = this.random.pick([
        () => (this.members.length < MEMBERS ? this.signUp() : this.buy()),
        () => this.buy(),
        () => this.buy(),
        () => this.buy(),
        () => this.buy(),
        () => this.advance(),
        () => this.advance(),
        () => this.advance(),
        () => this.refund(),
        () => this.withdraw(),
        () => this.decideWithdrawal(),
        () => (this.random.chance(0.7) ? this.adjust() : this.decideAdjustment()),
        () => (this.random.chance(0.3) ? this.changePlan() : this.buy()),
      ]);
      await action();
      await pause(this.random.below(30));
    }
  }

  /** A new member under an existing one, who buys queue goods first. */
  private async signUp(): Promise<void> {
    const under = this.members.length > 0 && !this.random.chance(0.05) ? this.pickMember().uid : undefined;
    const member = await this.account(
      `${randomUUID()}@example.com`,
      under === undefined ? {} : { spread: String(under) },
    );
    if (!member) return;
    this.acknowledge("sign_up", "", member.uid, under === undefined ? {} : { uid: under });
    const order = await this.place(member, [{ product_id: 1, quantity: 1 }], false, true);
    if (order && (await this.pay(order))) this.members.push(member);
  }

  /** Signs an account up, or in if an earlier attempt has signed it up. */
  private async account(email: string, data: object): Promise<Member | undefined> {
    const { auth, publishableKey } = this.stack.addresses;
    const send = (path: string, body: object) =>
      fetch(`${auth}/auth/v1/${path}`, {
        method: "POST",
        headers: { apikey: publishableKey, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(AUTH_PATIENCE_MS),
      })
        .then((response) => response.json() as Promise<{ access_token?: string }>)
        .catch((error: unknown) => {
          // That of development can keep a broken connection for good.
          if ((error as Error).name === "TimeoutError") this.stack.restartAuth();
          return undefined;
        });
    while (!this.requests.isLate()) {
      const session = await send("token?grant_type=password", { email, password: PASSWORD });
      const token = session?.access_token ?? (await send("signup", { email, password: PASSWORD, data }))?.access_token;
      if (token) {
        const reply = await this.send(undefined, "GET", "api", "/api/user", token);
        if (reply?.status !== 200) return undefined;
        const member = { email, uid: reply.body.uid as number, token };
        this.holders.set(token, member);
        return member;
      }
      await pause(50 + this.random.below(200));
    }
    // The Auth server of development is not under test, and nothing was acknowledged.
    return undefined;
  }

  private async buy(): Promise<void> {
    const buyer = this.pickMember();
    const goods = [
      ...(this.random.chance(0.7) ? [this.random.pick(QUEUE_GOODS)] : []),
      ...(this.random.chance(0.5) ? [this.random.pick(OTHERS)] : []),
    ];
    const items = (goods.length > 0 ? goods : [7]).map((product_id) => ({
      product_id,
      quantity: 1 + this.random.below(2),
    }));
    const order = await this.place(buyer, items, this.random.chance(0.4), false);
    if (!order) return;
    if (this.random.chance(0.12)) return this.cancel(order);
    await this.pay(order);
  }

  private async place(
    buyer: Member,
    items: { product_id: number; quantity: number }[],
    usesPoints: boolean,
    isFirst: boolean,
  ): Promise<Order | undefined> {
    const key = this.newKey("order");
    if (usesPoints) this.withPoints.add(key);
    const reply = await this.send(key, "POST", "api", "/api/order", buyer.token, {
      items,
      remark: key,
      ...(usesPoints && { use_points: ALL_POINTS }),
    });
    if (reply?.status !== 201) return undefined;
    this.acknowledge("order", key, reply.body.id, { uid: buyer.uid, amount: reply.body.pay_price });
    const order: Order = {
      id: reply.body.id,
      no: reply.body.order_no,
      buyer,
      isFirst,
      state: "unpaid",
      lines: reply.body.lines,
      isBusy: false,
    };
    this.orders.push(order);
    return order;
  }

  private async cancel(order: Order): Promise<void> {
    const key = this.newKey("cancel");
    const reply = await this.send(key, "PUT", "api", `/api/order/${order.id}/cancel`, order.buyer.token);
    if (reply?.status !== 200) return;
    order.state = "cancelled";
    this.acknowledge("cancel", key, order.id);
  }

  private pay(order: Order): Promise<boolean> {
    return this.random.chance(0.35) ? this.payAtProvider(order) : this.payOffline(order);
  }

  private async payOffline(order: Order): Promise<boolean> {
    const key = this.newKey("pay");
    const reply = await this.send(key, "PUT", "adminapi", `/adminapi/order/${order.id}/pay`, this.admins[0]!.token, {
      pay_ref: key,
    });
    if (reply?.status !== 200) return false;
    this.afterPayment();
    order.state = "paid";
    this.acknowledge("pay_offline", key, order.id);
    return true;
  }

  /** The payer pays on the page of the provider, which notifies the store, and the store asks the provider. */
  private async payAtProvider(order: Order): Promise<boolean> {
    const path = `/api/order/${order.id}/pay`;
    const started = await this.send(undefined, "POST", "api", path, order.buyer.token, {
      provider: "local",
      method: "local",
    });
    if (started?.status !== 200) return false;
    await fetch(started.body.start.url, { method: "POST", body: new URLSearchParams({ choice: "pay" }) }).then(
      (response) => response.body?.cancel(),
    );
    for (const begun = Date.now(); Date.now() - begun < PROVIDER_PATIENCE_MS;) {
      const reply = await this.send(undefined, "GET", "api", `/api/order/${order.id}/payment`, order.buyer.token);
      if (reply?.body.order_state === "paid") {
        this.afterPayment();
        order.state = "paid";
        this.acknowledge("pay_provider", started.body.attempt_no, order.id);
        return true;
      }
      await pause(100 + this.random.below(400));
    }
    this.requests.unexpected.push(`The payment ${started.body.attempt_no} was made, but never arrived`);
    return false;
  }

  /** The next step of a paid order. */
  private advance(): Promise<void> {
    return this.withOrder(
      ({ state }) => state === "paid" || state === "delivered",
      async (order) => {
        const delivers = order.state === "paid" && this.random.chance(0.3);
        const key = this.newKey("advance");
        const reply = delivers
          ? await this.send(key, "POST", "adminapi", "/adminapi/shipping", this.admins[0]!.token, {
              lines: [{ line: 1, order_no: order.no, carrier: "SF", tracking_no: `SF1001${order.id}` }],
            })
          : await this.send(key, "PUT", "api", `/api/order/${order.id}/receive`, order.buyer.token);
        if (reply?.status !== 200) return;
        order.state = delivers ? "delivered" : "received";
        this.acknowledge(delivers ? "deliver" : "receive", key, order.id);
      },
    );
  }

  /** A request of the buyer and a decision, or a refund of one unit or of everything that the store makes by itself. */
  private refund(): Promise<void> {
    return this.withOrder(
      ({ state, isFirst }) => !isFirst && state !== "unpaid" && state !== "cancelled",
      async (order) => {
        if (this.random.chance(0.5)) {
          const key = this.newKey("request");
          const requested = await this.send(key, "POST", "api", `/api/order/${order.id}/refund`, order.buyer.token, {
            reason: key,
          });
          if (requested?.status === 201) this.acknowledge("request_refund", key, requested.body.id);
          if (this.random.chance(0.4)) {
            const refusal = this.newKey("refuse");
            const refused = await this.send(
              refusal,
              "PUT",
              "adminapi",
              `/adminapi/order/${order.id}/refund/refuse`,
              this.admins[0]!.token,
            );
            if (refused?.status === 200) this.acknowledge("refuse_refund", refusal, refused.body.id);
            return;
          }
        }
        const key = this.newKey("refund");
        const lines = this.random.chance(0.5)
          ? { lines: [{ line_id: this.random.pick(order.lines).id, quantity: 1 }] }
          : {};
        const reply = await this.send(
          key,
          "PUT",
          "adminapi",
          `/adminapi/order/${order.id}/refund`,
          this.admins[0]!.token,
          {
            ...lines,
            refund_ref: key,
          },
        );
        if (reply?.status === 200) this.acknowledge("refund", key, reply.body.id);
      },
    );
  }

  private async withdraw(): Promise<void> {
    const member = this.pickMember();
    if (member.account === undefined) {
      const key = this.newKey("account");
      const account = await this.send(key, "POST", "api", "/api/account", member.token, {
        method: "bank",
        holder: "Payee",
        account_no: `10220000${String(member.uid).padStart(8, "0")}`,
        bank: "Bank",
      });
      if (account?.status !== 201) return;
      member.account = account.body.id as number;
      this.acknowledge("account", key, account.body.id, { uid: member.uid });
    }
    const terms = await this.send(undefined, "GET", "api", "/api/withdrawal/terms", member.token);
    const limits =
      terms?.status === 200
        ? terms.body.methods.find(({ method }: { method: string }) => method === "bank")
        : undefined;
    if (limits === undefined || Number(limits.maximum) < Number(limits.minimum)) return;
    const key = this.newKey("withdraw");
    const amount = this.random.chance(0.5)
      ? limits.maximum
      : Math.max(Number(limits.minimum), Math.floor(Number(limits.maximum) / 2)).toFixed(2);
    const reply = await this.send(key, "POST", "api", "/api/withdrawal", member.token, {
      amount,
      method: "bank",
      account_id: member.account,
    });
    if (reply?.status !== 201) return;
    this.withdrawals.push({ id: reply.body.id, isApproved: false });
    this.acknowledge("withdraw", key, reply.body.id, { uid: member.uid, amount: reply.body.amount });
  }

  private async decideWithdrawal(): Promise<void> {
    const next = this.withdrawals.shift();
    if (!next) return;
    const step = next.isApproved ? "paid" : this.random.chance(0.25) ? "refuse" : "approve";
    const key = this.newKey(step);
    const reply = await this.send(
      key,
      "PUT",
      "adminapi",
      `/adminapi/withdrawal/${next.id}/${step}`,
      this.admins[step === "paid" ? 1 : 0]!.token,
      { refuse: { reason: "Wrong account" }, paid: { payment_ref: key }, approve: undefined }[step],
    );
    if (reply?.status === 409) this.withdrawals.push(next);
    if (reply?.status !== 200) return;
    this.acknowledge(step, key, next.id);
    if (step === "approve") this.withdrawals.push({ ...next, isApproved: true });
  }

  private async adjust(): Promise<void> {
    const member = this.pickMember();
    const by = this.random.pick(this.admins);
    const key = this.newKey("adjust");
    const reply = await this.send(key, "POST", "adminapi", "/adminapi/adjustment", by.token, {
      uid: member.uid,
      reason: key,
      ...this.random.pick(ADJUSTMENTS),
    });
    if (reply?.status !== 201) return;
    this.acknowledge("adjust", key, reply.body.id, { uid: member.uid, amount: reply.body.brokerage });
    if (reply.body.state === "waiting") this.waitingAdjustments.push({ id: reply.body.id, by });
  }

  private async decideAdjustment(): Promise<void> {
    const next = this.waitingAdjustments.shift();
    if (!next) return;
    const step = this.random.chance(0.25) ? "refuse" : "approve";
    const key = this.newKey(step);
    const other = this.admins.find((admin) => admin !== next.by)!;
    const reply = await this.send(key, "PUT", "adminapi", `/adminapi/adjustment/${next.id}/${step}`, other.token);
    if (reply?.status === 200) this.acknowledge(`${step}_adjustment`, key, next.id);
  }

  /** One at a time, because the response names the plan that is in force then. */
  private async changePlan(): Promise<void> {
    if (this.isChangingPlan) return;
    this.isChangingPlan = true;
    const key = this.newKey("plan");
    const reply = await this.send(
      key,
      "PUT",
      "adminapi",
      "/adminapi/hjf/brokerage/config",
      this.admins[0]!.token,
      this.random.pick(PLANS),
    );
    if (reply?.status === 200) this.acknowledge("plan", key, reply.body.version);
    this.isChangingPlan = false;
  }

  private pickMember(): Member {
    return this.random.pick(this.members.filter(({ uid }) => uid !== this.locked));
  }

  private async withOrder(condition: (order: Order) => boolean, work: (order: Order) => Promise<void>): Promise<void> {
    const candidates = this.orders.filter(
      (order) => !order.isBusy && order.buyer.uid !== this.locked && condition(order),
    );
    const order = candidates.length > 0 ? this.random.pick(candidates) : undefined;
    if (!order) return;
    order.isBusy = true;
    await work(order);
    order.isBusy = false;
  }

  private async send(
    key: string | undefined,
    method: string,
    name: "api" | "adminapi",
    path: string,
    token: string,
    json?: unknown,
  ): Promise<Reply | undefined> {
    const reply = await this.requests.send({
      method,
      url: this.stack.address(name) + path,
      token,
      ...(key && { key }),
      ...(json !== undefined && { json }),
    });
    if (reply && reply.status >= 400 && reply.status !== 401)
      this.refused(`${method} ${path.replaceAll(/\/\d+/g, "/{id}")}`, reply.body);
    if (reply?.status !== 401) return reply;
    const member = this.holders.get(token);
    if (reply.body.code !== "token_expired" || !member) {
      this.requests.unexpected.push(`${method} ${path} got ${JSON.stringify(reply.body)}`);
      return undefined;
    }
    // Tokens are valid for an hour.
    if (member.token === token) {
      const renewed = await this.account(member.email, {});
      if (!renewed) return undefined;
      member.token = renewed.token;
      this.holders.set(renewed.token, member);
    }
    return this.send(key, method, name, path, member.token, json);
  }

  /** Counts a refusal, which must be one of {@link REFUSALS}. */
  private refused(request: string, { code, errors }: { code: string; errors?: { pointer: string }[] }): void {
    const reason = [code, ...(errors ?? []).slice(0, 1).map(({ pointer }) => pointer)].join(" ");
    this.refusals[`${request}: ${reason}`] = (this.refusals[`${request}: ${reason}`] ?? 0) + 1;
    if (!REFUSALS[request]?.includes(reason)) this.requests.unexpected.push(`${request} was refused: ${reason}`);
  }

  private acknowledge(kind: Kind, key: string, id: number, more: Pick<Acknowledged, "uid" | "amount"> = {}): void {
    this.acknowledged.push({ kind, key, id, ...more });
  }

  private newKey(name: string): string {
    this.keys += 1;
    return `${name}-${this.keys}`;
  }
}
