import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, place } from "./scenario.ts";

const sql = connect(stack().database_url);
let admin: Account;
let buyer: Account;
let tea: number;

beforeAll(async () => {
  [admin, buyer] = await Promise.all([signUpAdmin("Patient administrator"), signUp("Impatient buyer")]);
  tea = await addProduct("Idempotent tea", "19.90", false);
});
afterAll(() => sql.end());

const newKey = () => crypto.randomUUID();
const send = (method: string, path: string, key: string, json?: unknown, { token }: Account = buyer) =>
  call(method, path, { token, json, init: { headers: { "Idempotency-Key": key } } });
const order = (key: string, json: unknown = { items: [{ product_id: tea, quantity: 1 }] }, who = buyer) =>
  send("POST", "/api/order", key, json, who);
const countOfOrders = async (who = buyer) => (await as(who).get("/api/order?limit=1")).body.count as number;

describe("a request with an Idempotency-Key", () => {
  // Guarantee money/request-repeated: A request that is repeated with its key has one effect
  // By: one transaction stores effect and response, app.call_once
  it("that is repeated gets the first response and has no second effect", async () => {
    const [key, before] = [newKey(), await countOfOrders()];
    const first = await order(key);
    const again = await order(key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    // The same content in another format.
    expect((await order(key, { items: [{ quantity: 1, product_id: tea }] })).text).toBe(first.text);
    expect(await countOfOrders()).toBe(before + 1);
    expect((await order(newKey())).body.id).not.toBe(first.body.id);
  });

  it("is not replayed to an administrator who was removed", async () => {
    const former = await signUpAdmin("Former administrator");
    const { id } = await place(buyer, tea);
    const key = newKey();
    expect((await send("PUT", `/adminapi/order/${id}/pay`, key, undefined, former)).status).toBe(200);
    await sql`select app.remove_administrator(${former.email})`;
    expectProblem(await send("PUT", `/adminapi/order/${id}/pay`, key, undefined, former), "forbidden");
  });

  it("is not replayed to an administrator who may no longer do what the request did", async () => {
    const cashier = await signUpAdmin("Former cashier");
    const { id } = await place(buyer, tea);
    const key = newKey();
    expect((await send("PUT", `/adminapi/order/${id}/pay`, key, undefined, cashier)).status).toBe(200);
    await sql`select app.add_administrator(${cashier.email}, '{content}')`;
    expectProblem(await send("PUT", `/adminapi/order/${id}/pay`, key, undefined, cashier), "forbidden");
    await sql`select app.add_administrator(${cashier.email}, '{content, finance}')`;
    expect((await send("PUT", `/adminapi/order/${id}/pay`, key, undefined, cashier)).status).toBe(200);
  });

  it("is replayed with the stored response, not the current state", async () => {
    const { id } = await place(buyer, tea);
    const key = newKey();
    expect((await send("PUT", `/api/order/${id}/cancel`, key)).body.state).toBe("cancelled");
    expectProblem(await as(admin).put(`/adminapi/order/${id}/pay`), "order_state_conflict");
    expect((await send("PUT", `/api/order/${id}/cancel`, key)).body.state).toBe("cancelled");
  });

  it("is rejected if the key was used for another request", async () => {
    const key = newKey();
    const { body } = await order(key);
    expectProblem(await order(key, { items: [{ product_id: tea, quantity: 2 }] }), "idempotency_key_reused");
    expectProblem(await send("PUT", `/api/order/${body.id}/cancel`, key), "idempotency_key_reused");
  });

  it("has no effect on requests of other callers with the same key", async () => {
    const [key, other] = [newKey(), await signUp("Another buyer")];
    const { body } = await order(key);
    const others = await order(key, undefined, other);
    expect(others.status).toBe(201);
    expect(others.body).toMatchObject({ uid: other.uid });
    expect(others.body.id).not.toBe(body.id);
  });

  it("that fails does not use up the key", async () => {
    const key = newKey();
    const rare = await addProduct("Rare tea", "99.00", false);
    const json = { items: [{ product_id: rare, quantity: 1 }] };
    await as(admin).put(`/adminapi/product/${rare}`, { is_show: false });
    expectProblem(await order(key, json), "product_unavailable");
    await as(admin).put(`/adminapi/product/${rare}`, { is_show: true });
    expect((await order(key, json)).status).toBe(201);
  });

  // Guarantee money/request-repeated
  it("has one effect if sent concurrently", async () => {
    const [key, before] = [newKey(), await countOfOrders()];
    const replies = await Promise.all(Array.from({ length: 12 }, () => order(key)));
    const done = replies.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 201)) expectProblem(reply, "idempotency_key_in_use");
    expect(await countOfOrders()).toBe(before + 1);
    expect((await order(key)).text).toBe(done[0]!.text);
  });

  it("gets 409 with Retry-After while the first is still running", async () => {
    const { id } = await place(buyer, tea);
    const [key, path] = [newKey(), `/adminapi/order/${id}/pay`];
    let first!: ReturnType<typeof send>;
    await sql.begin(async (transaction) => {
      const [row] =
        await transaction`select pg_current_xact_id()::text as xid from app.orders where id = ${id} for update`;
      first = send("PUT", path, key, {}, admin);
      // Waits until the first request is blocked by the order that this test has locked.
      await expect
        .poll(
          async () =>
            (await transaction`select from pg_locks where not granted and transactionid::text = ${row!.xid}`).length,
        )
        .toBe(1);
      const second = await send("PUT", path, key, {}, admin);
      expectProblem(second, "idempotency_key_in_use");
      expect(second.headers.get("retry-after")).toBe("1");
    });
    expect((await first).body.state).toBe("paid");
    expect((await send("PUT", path, key, {}, admin)).text).toBe((await first).text);
  });

  it.each([
    ["", "empty"],
    ["two words", "with a space"],
    ["clé", "not of ASCII"],
    ["k".repeat(256), "too long"],
  ])("is rejected with an invalid key: %j (%s)", async (key) => {
    const reply = await order(key);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ in: "header", pointer: "/Idempotency-Key" })]);
  });

  it("may be a read, which ignores the key", async () => {
    const key = newKey();
    const before = (await send("GET", "/api/order?limit=1", key)).body.count;
    await order(newKey());
    expect((await send("GET", "/api/order?limit=1", key)).body.count).toBe(before + 1);
  });
});
