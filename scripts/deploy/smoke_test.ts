import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";
import { step, style } from "../ground/progress.ts";
import { call, createTestAccount, removeTestAccounts, signIn, type Site, type TestAccount } from "./test_account.ts";

/** What the plan of a deployment says of it. */
export const SMOKE_TEST =
  "test orders that are rolled back; then a member who signs up, reads, orders, cancels and is deleted";

interface Product {
  id: number;
  title: string;
  price: string;
  freight: string;
  stock: number | null;
  is_queue_goods: boolean;
}

interface Order {
  id: number;
  order_no: string;
  state: string;
  refund_status: number;
}

/** The visit of a test member, and what there is to say of it in the end. */
interface Visit {
  site: Site;
  sql: postgres.Sql;
  member: TestAccount;
  token: string;
  /** What was not tested, and why. */
  leftOut: string[];
  /** What stays in the store. */
  remains: string[];
}

/**
 * Runs a part of the smoke test. A failure says which part it was.
 * @throws Problem
 */
function part<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  return step(title, work).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(`The smoke test failed. ${title}: ${error.message}`, error.advice);
  });
}

/** Runs the test orders of the configuration check, which are rolled back. */
async function runTestOrders(sql: postgres.Sql, leftOut: string[]): Promise<void> {
  const rows = await sql<{ severity: string; subject: string; message: string; hint: string }[]>`
    select * from app.verify_end_to_end()`;
  const wrong = rows.find(({ severity }) => severity === "error");
  if (wrong) throw new Problem(`${wrong.subject}: ${wrong.message}`, wrong.hint);
  leftOut.push(
    ...rows.filter(({ severity }) => severity !== "ok").map(({ message }) => `the test orders (${message})`),
  );
}

/** The cheapest product that costs something, preferably one of which any number can be ordered. */
function cheapest(products: Product[]): Product | undefined {
  const [first] = products
    .filter(({ price, stock }) => Number(price) > 0 && stock !== 0)
    .sort((one, other) => Number(one.stock !== null) - Number(other.stock !== null) || +one.price - +other.price);
  return first;
}

const placeOrder = ({ site, token }: Visit, product: Product) =>
  call<Order>(
    site,
    "POST /functions/v1/api/order",
    { token },
    { items: [{ product_id: product.id, quantity: 1 }], remark: "Smoke test" },
  );

/** @throws Problem unless an order is in this state */
function requireState({ order_no, state }: Pick<Order, "order_no" | "state">, wanted: string, advice: string): void {
  if (state !== wanted) throw new Problem(`Order ${order_no} is ${state}, not ${wanted}.`, advice);
}

const UNEXPECTED = "Deploy the functions of this folder (npm run functions:deploy), and run the command again.";

async function orderAndCancel(visit: Visit, product: Product): Promise<void> {
  const { site, token } = visit;
  const placed = await placeOrder(visit, product);
  requireState(placed, "unpaid", UNEXPECTED);
  const read = await call<Order>(site, `GET /functions/v1/api/order/${placed.id}`, { token });
  const cancelled = await call<Order>(site, `PUT /functions/v1/api/order/${read.id}/cancel`, { token });
  requireState(cancelled, "cancelled", UNEXPECTED);
  visit.remains.push(`the cancelled order ${placed.order_no}`);
}

/** How long a paid order may wait for its settlement, which a job does each minute if the functions do not. */
const SETTLED_WITHIN_MS = 90_000;
const POLL_MS = 1000;

async function waitForSettlement(site: Site, order: Order, token: string): Promise<void> {
  for (const start = Date.now(); ;) {
    const found = await call<{ state: string; matches_the_books?: boolean }>(
      site,
      `GET /functions/v1/adminapi/order/${order.id}/settlement`,
      { token },
    );
    if (found.state === "settled" && found.matches_the_books) return;
    if (found.state !== "waiting" || Date.now() - start > SETTLED_WITHIN_MS)
      throw new Problem(
        `The settlement of order ${order.order_no} is ${found.state}${found.matches_the_books === false ? ", and differs from the books" : ""}.`,
        'See that the scheduled jobs run: docs/operations.md, "When something is wrong".',
      );
    await wait(POLL_MS);
  }
}

/** Buys a product: an administrator of the smoke test records the payment, and refunds the order in full. */
async function buyAndRefund(visit: Visit, product: Product): Promise<void> {
  const { site, sql, token, remains } = visit;
  const account = await createTestAccount(site, "store_admin");
  await sql`select app.add_administrator(${account.id}, '{finance}', 'Smoke test')`;
  const admin = { token: (await signIn(site, account)).token };
  const order = await placeOrder(visit, product);
  remains.push(`the paid and refunded order ${order.order_no} with its settlement, refund, events and actions`);
  const paid = await call<Order>(site, `PUT /functions/v1/adminapi/order/${order.id}/pay`, admin);
  requireState(
    paid,
    "paid",
    "A payment above the limit of an administrator waits for a second one: raise the limit in the settings, or put a cheaper product on sale.",
  );
  if (product.is_queue_goods) {
    const plan = await call<{ brokerage_timing: string }>(site, "GET /functions/v1/api/hjf/brokerage/progress", {
      token,
    });
    if (plan.brokerage_timing === "confirm")
      await call(site, `PUT /functions/v1/api/order/${order.id}/receive`, { token });
    await waitForSettlement(site, order, admin.token);
  } else visit.leftOut.push("the settlement of the paid order (no queue goods are on sale)");
  await call(site, `PUT /functions/v1/adminapi/order/${order.id}/refund`, admin);
  const { refund_status: status } = await call<Order>(site, `GET /functions/v1/api/order/${order.id}`, { token });
  if (status !== 2) throw new Problem(`Order ${order.order_no} has the refund status ${status}, not 2.`, UNEXPECTED);
  await call(site, `DELETE /auth/v1/admin/users/${account.id}`, { isServer: true });
}

/** Asks for the deletion as the app does, and does not wait for the seven days that it takes. */
async function deleteMember({ site, token, member }: Visit): Promise<void> {
  const path = "/functions/v1/api/user/deletion";
  const { forfeit } = await call<{ forfeit: object }>(site, `GET ${path}`, { token });
  await call(site, `POST ${path}`, { token }, { forfeit });
  await call(site, `DELETE /auth/v1/admin/users/${member.id}`, { isServer: true });
}

/** @throws Problem if the member is not gone, or an order of theirs counts */
async function requireNothingLeft(sql: postgres.Sql, { id }: TestAccount, uid: number): Promise<void> {
  const [left] = await sql<{ accounts: number; members: number; orders: number }[]>`
    select
      (select count(*) from auth.users as a where a.id = ${id})::integer as accounts,
      (select count(*) from app.users as u where u.uid = ${uid} and (u.auth_id is not null or u.left_at is null))::integer as members,
      (select count(*) from app.orders as o where o.uid = ${uid} and o.state <> 'cancelled' and o.refund_status <> 2)::integer as orders`;
  const found = Object.entries(left!).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  if (found.length > 0)
    throw new Problem(`There are still ${found.join(", ")}.`, "Run the command again, which removes what it finds.");
}

/** What a paid purchase needs besides: an administrator who may record a payment without a second factor. */
async function obstacleOfPurchase(sql: postgres.Sql): Promise<string | undefined> {
  const [store] = await sql<{ needs_factor: boolean }[]>`
    select 'money' = any (s.second_factor_areas) as needs_factor from app.settings as s`;
  return store!.needs_factor ? "the paid purchase (who decides about money needs a second factor)" : undefined;
}

/** A member who signs up, reads, orders and leaves. */
async function visit(site: Site, sql: postgres.Sql, isBuying: boolean, leftOut: string[]): Promise<string[]> {
  const member = await part("A confirmed account is created", () => createTestAccount(site, "authenticated"));
  const session = await part("It signs in", () => signIn(site, member));
  leftOut.push(...(session.leftOut === undefined ? [] : [session.leftOut]));
  const { token } = session;
  const seen: Visit = { site, sql, member, token, leftOut, remains: [] };
  const { uid, products } = await part("It reads the first article, its own page and the products", async () => {
    await call(site, "GET /functions/v1/api/sign/required_article");
    const own = await call<{ uid: number }>(site, "GET /functions/v1/api/user", { token });
    const { list } = await call<{ list: Product[] }>(site, "GET /functions/v1/api/product?limit=100");
    return { uid: own.uid, products: list };
  });
  seen.remains.push(`member ${uid}, without a name, who has left`);
  const product = cheapest(products);
  if (product) await part("It orders a product and cancels the order", () => orderAndCancel(seen, product));
  else leftOut.push("the order (no product with a price is on sale and in stock)");
  if (isBuying && product) {
    const obstacle = await obstacleOfPurchase(sql);
    const bought = cheapest(products.filter(({ is_queue_goods }) => is_queue_goods)) ?? product;
    if (obstacle !== undefined) leftOut.push(obstacle);
    else await part("It buys a product, which is settled and refunded", () => buyAndRefund(seen, bought));
  }
  await part("It asks for its deletion and is deleted", () => deleteMember(seen));
  await part("Nothing of it is left that counts", () => requireNothingLeft(sql, member, uid));
  return seen.remains;
}

/** @throws Problem if the store has orders, among which one of a smoke test would count */
async function requireNoOrders(sql: postgres.Sql): Promise<void> {
  const [store] = await sql<{ has_orders: boolean }[]>`
    select exists (select from app.orders as o where o.state <> 'cancelled') as has_orders`;
  if (store!.has_orders)
    throw new Problem(
      "The store has orders, so the smoke test buys nothing.",
      "Leave --paid-purchase out: the test orders of the configuration check settle and refund without leaving a trace.",
    );
}

/** Two smoke tests at the same time would remove the accounts of each other. The lock ends with the session. */
async function lockSmokeTest(sql: postgres.Sql): Promise<void> {
  const [lock] = await sql<{ is_free: boolean }[]>`
    select pg_try_advisory_lock(hashtextextended('npm run deploy: smoke test', 0)) as is_free`;
  if (!lock!.is_free)
    throw new Problem("Another deployment is running its smoke test.", "Run the command again when it has ended.");
}

/**
 * Tries the store as its members use it, and removes what it has made, also after a failure. The next one removes what
 * an interrupted one has left. No mail is sent: the account is created as confirmed, and members get mails only if they
 * ask for them.
 * @param isBuying whether a paid order is placed and refunded, which stays in the books
 * @throws Problem that says which part failed, what came back, and what to do
 */
export async function smokeTest(site: Site, isBuying: boolean): Promise<void> {
  await withDatabase(async (sql) => {
    await lockSmokeTest(sql);
    if (isBuying) await requireNoOrders(sql);
    const former = await removeTestAccounts(sql, site.ref);
    if (former > 0)
      console.log(style.dim(`  An interrupted smoke test had left ${former} accounts, which are removed.`));
    const leftOut: string[] = [];
    await part("Test orders: settlement, level, release and refund", () => runTestOrders(sql, leftOut));
    const remains = await visit(site, sql, isBuying, leftOut).catch(async (failure: unknown) => {
      await removeTestAccounts(sql, site.ref).catch((error: unknown) =>
        console.log(`  What it made is still there, until the next one removes it: ${(error as Error).message}`),
      );
      throw failure;
    });
    for (const what of leftOut) console.log(`    Left out: ${what}`);
    console.log(style.dim(`    What remains: ${remains.join("; ")}.`));
  });
}
