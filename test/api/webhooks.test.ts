import type postgres from "postgres";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../functions/_shared/notices/event_types.ts";
import {
  type ClonedDatabase,
  cloneDatabase,
  connect,
  type EdgeFunction,
  serveEdgeFunction,
  skipFor,
} from "../support/index.ts";
import { testSize } from "../../scripts/testing/size.ts";
import { lacksOpenssl, type Received, WebhookReceiver } from "../support/webhook_receiver.ts";
import { type Account, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { prove } from "./proof.ts";

// A store of its own, whose events are sent to a receiver of this test.

const WORKER_SECRET = "the secret of the worker in this test";
const KEY = "5b".repeat(32);

let clone: ClonedDatabase;
let sql: postgres.Sql;
let receiver: WebhookReceiver;
let adminapi: EdgeFunction;
let workers: EdgeFunction[];
let owner: Account;
let proved: string;

const serveWorker = () =>
  serveEdgeFunction("worker", clone.url, {
    STORE_WORKER_SECRET: WORKER_SECRET,
    STORE_WEBHOOK_KEY: KEY,
    STORE_WEBHOOK_LOCAL_CA: receiver.authority,
  });

const ask = (method: string, path: string, json?: object, token = proved) =>
  call(method, `/adminapi/webhook${path}`, { base: adminapi.base, token, ...(json && { json }) });

interface Made {
  id: number;
  secret: string;
}

/** Makes a webhook as an administrator does. */
async function makeWebhook(path: string, types = ["order.shipped", "order.received"]): Promise<Made> {
  const { status, body } = await ask("POST", "", { url: receiver.url + path, description: "ERP", types });
  expect(status).toBe(201);
  return { id: body.webhook.id, secret: body.secret };
}

/** Something happens to an order. */
const happens = (type: string, order: number) =>
  sql`select app.write_event(${type}, ${order}, null, '{}', clock_timestamp(), 'job')`;

// Open transactions of other tests on this server hold the reading of events up.
const patience = { interval: 200 };

/** Runs the scheduled job until every event has its deliveries. */
const follow = () =>
  expect
    .poll(async () => {
      await sql`call app.write_deliveries()`;
      return (
        await sql`select from app.events as e, app.webhook_position as p where (e.era, e.xid, e.id) > (p.era, p.xid, p.event_id)`
      ).length;
    }, patience)
    .toBe(0);

const run = async (worker = workers[0]!) =>
  expect(
    (await call("POST", "/worker/run", { base: worker.base, init: { headers: { "x-worker-secret": WORKER_SECRET } } }))
      .status,
  ).toBe(200);

const makeDue = () => sql`update app.webhook_deliveries set run_after = clock_timestamp() where state = 'waiting'`;

/** Follows the events and sends what waits, once. */
async function work(): Promise<void> {
  await follow();
  await makeDue();
  await run();
}

const deliveries = async (id: number, query = "") => (await ask("GET", `/${id}/delivery?limit=100${query}`)).body.list;
const stateOf = async (id: number) => (await ask("GET", `/${id}`)).body.state;

/** What is read of a body here. */
interface Message {
  type: string;
  data: { id: number; subject_id: number };
}
const messageOf = ({ body }: Received) => JSON.parse(body) as Message;
const typeOf = (received: Received) => messageOf(received).type;

/** A moment that a test decides about. */
function moment(): { promise: Promise<void>; comes: () => void } {
  let comes!: () => void;
  const promise = new Promise<void>((resolve) => {
    comes = resolve;
  });
  return { promise, comes };
}

skipFor(describe, lacksOpenssl)("webhooks", { concurrent: false }, () => {
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    clone = await cloneDatabase();
    sql = connect(clone.url);
    [adminapi, owner] = await Promise.all([
      serveEdgeFunction("adminapi", clone.url, { STORE_WEBHOOK_KEY: KEY }),
      signUpAdmin("Chief"),
    ]);
    workers = await Promise.all([serveWorker(), serveWorker()]);
    await copyAccounts(sql, owner);
    await sql`select app.add_administrator(${owner.email}, '{owner}', 'Chief')`;
    proved = await prove(owner);
    await sql`call app.write_deliveries()`;
  });
  afterAll(async () => {
    await Promise.all([adminapi, ...(workers ?? [])].map((server) => server?.stop()));
    await sql?.end();
    await clone?.drop();
    await receiver?.stop();
  });
  beforeEach(async () => {
    await sql`delete from app.webhooks`;
    receiver.received.splice(0);
    receiver.answer = (_, response) => response.end("taken");
  });

  it("are made by an owner with a second factor, and show their secret once", async () => {
    const fields = { url: "https://erp.example.com/store", description: "ERP", types: ["order.paid"] };
    expectProblem(await ask("POST", "", fields, owner.token), "second_factor_required");
    const member = await signUp("Member");
    await copyAccounts(sql, member);
    expectProblem(await ask("POST", "", fields, member.token), "forbidden");
    for (const wrong of [
      { url: "http://erp.example.com" },
      { url: "https://user:password@erp.example.com" },
      { url: "https://erp.example.com/#part" },
      { url: "https://erp.example.com:99999/" },
      { url: "https://[::g]/" },
      { description: " " },
      { types: [] },
      { types: ["order.paid", "order.paid"] },
      { types: ["order.lost"] },
    ])
      expectProblem(await ask("POST", "", { ...fields, ...wrong }), "invalid_argument");
    const { body } = await ask("POST", "", fields);
    expect(body.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const listed = await ask("GET", "");
    expect(listed.body).toMatchObject({
      count: 1,
      list: [{ ...fields, state: "on", version: 1, waiting: 0, former_secret_ends_at: null }],
    });
    expect(listed.text).not.toContain(body.secret);
    const known = JSON.stringify([
      ...(await sql`select * from app.webhooks`),
      ...(await sql`select * from app.admin_actions`),
    ]);
    expect(known).not.toContain(body.secret.slice("whsec_".length));
  });

  it("get the events that they have chosen, with a signature that the library of Standard Webhooks verifies", async () => {
    const { id, secret } = await makeWebhook("/chosen", ["order.shipped"]);
    await happens("order.shipped", 1);
    await happens("order.received", 1);
    await work();
    const [received, ...others] = receiver.at("/chosen") as [Received, ...Received[]];
    expect(others).toEqual([]);
    const [event] =
      await sql`select e.*, app.event_cursor(e) as cursor from app.events as e where type = 'order.shipped'`;
    expect(received.headers["webhook-id"]).toBe(event!.cursor);
    expect(new Webhook(secret).verify(received.body, received.headers)).toMatchObject({
      type: "order.shipped",
      data: { id: Number(event!.id), subject: "order", subject_id: 1, payload: {} },
    });
    expect(() => new Webhook(secret).verify(`${received.body} `, received.headers)).toThrow();
    expect(await deliveries(id)).toMatchObject([
      { state: "delivered", attempts: 1, status: 200, response: "taken", problem: null, body: received.body },
    ]);
  });

  // Guarantee webhooks/begin: A webhook gets what is committed after it was made, also by a transaction that was open
  // then, and nothing from before
  // By: the snapshot `since` of app.webhooks and app.add_deliveries (decision 0140)
  it("get what is committed after they are made, and nothing from before", async () => {
    const subjects = (path: string) =>
      receiver
        .at(path)
        .map((request) => messageOf(request).data.subject_id)
        .sort();
    await makeWebhook("/former");
    await happens("order.shipped", 1);
    await sql.begin(async (open) => {
      await open`select app.write_event('order.shipped', 2, null, '{}', clock_timestamp(), 'job')`;
      await makeWebhook("/made");
    });
    await happens("order.shipped", 3);
    await work();
    expect([subjects("/former"), subjects("/made")]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
  });

  it("get what is committed before the scheduled job has run first", async () => {
    await sql`delete from app.webhook_position`;
    await makeWebhook("/first");
    await happens("order.shipped", 1);
    await work();
    expect(receiver.at("/first")).toHaveLength(1);
  });

  it("have two secrets that sign while one replaces the other", async () => {
    const { id, secret } = await makeWebhook("/rotated");
    const { body } = await ask("POST", `/${id}/secret`, { hours: 1 });
    expect(body.secret).not.toBe(secret);
    const verifies = ({ body: text, headers }: Received) =>
      [secret, body.secret].map((each: string) => {
        try {
          return Boolean(new Webhook(each).verify(text, headers));
        } catch {
          return false;
        }
      });
    await happens("order.shipped", 1);
    await work();
    expect(verifies(receiver.received.at(-1)!)).toEqual([true, true]);
    await sql`update app.webhooks set former_ends_at = clock_timestamp()`;
    await happens("order.shipped", 2);
    await work();
    expect(verifies(receiver.received.at(-1)!)).toEqual([false, true]);
  });

  // Guarantee webhooks/delivery: A webhook gets each event that it has chosen at least once, none that did not happen,
  // and those of a subject in order
  // By: position and deliveries in one transaction, app.follow_events, and the first of a subject, app.lease_deliveries
  // (decision 0140)
  it("get each event of a receiver that fails by chance, none that did not happen, and those of an order in order", async () => {
    const { secret } = await makeWebhook("/chance");
    const orders = Math.ceil(testSize.webhookEvents / 6);
    for (let place = 0; place < testSize.webhookEvents; place++)
      await happens(place % 2 ? "order.received" : "order.shipped", (place % orders) + 1);
    await follow();
    const taken: { id: string; order: number; event: number }[] = [];
    receiver.answer = (request, response) => {
      new Webhook(secret).verify(request.body, request.headers);
      const chance = Math.random();
      // It has taken the event, although the store does not learn of it.
      if (chance < 0.9) {
        const { data } = messageOf(request);
        taken.push({ id: request.headers["webhook-id"]!, order: data.subject_id, event: data.id });
      }
      if (chance < 0.8) response.end();
      else if (chance < 0.85) response.destroy();
      else if (chance < 0.95) response.writeHead(500).end();
      else response.destroy();
    };
    for (
      let left = 1;
      left > 0;
      left = (await sql`select from app.webhook_deliveries where state = 'waiting' limit 1`).length
    ) {
      await makeDue();
      await Promise.all(workers.map((worker) => run(worker)));
    }
    const happened = await sql<{ id: string; cursor: string }[]>`
      select e.id, app.event_cursor(e) as cursor from app.events as e where e.id in (select event_id from app.webhook_deliveries)`;
    expect(happened).toHaveLength(testSize.webhookEvents);
    expect(new Set(taken.map(({ id }) => id))).toEqual(new Set(happened.map(({ cursor }) => cursor)));
    for (const order of new Set(taken.map((event) => event.order))) {
      const events = taken.filter((event) => event.order === order).map(({ event }) => event);
      expect(events).toEqual(events.toSorted((one, other) => one - other));
    }
  }, 3_600_000);

  // Guarantee webhooks/delivery
  it("send again what a worker sent that was killed before it recorded so", async () => {
    await makeWebhook("/killed");
    await happens("order.shipped", 1);
    await follow();
    const doomed = await serveWorker();
    const sent = moment();
    receiver.answer = sent.comes;
    const cut = run(doomed).catch(() => "cut off");
    await sent.promise;
    process.kill(doomed.pid, "SIGKILL");
    expect(await cut).toBe("cut off");
    receiver.answer = (_, response) => response.end();
    await run();
    expect(receiver.at("/killed"), "its lease has not ended").toHaveLength(1);
    await makeDue();
    await run();
    const [first, second] = receiver.at("/killed");
    expect(second).toMatchObject({ body: first!.body, headers: { "webhook-id": first!.headers["webhook-id"] } });
    expect(await sql`select state from app.webhook_deliveries`).toMatchObject([{ state: "delivered" }]);
    await doomed.stop();
  });

  // Guarantee webhooks/slow: A slow webhook delays no call to a provider and no other webhook
  // By: loops of their own, functions/worker/webhooks/send_deliveries.ts
  it("that are slow delay neither calls to providers nor other webhooks", async () => {
    await makeWebhook("/slow");
    await makeWebhook("/fast");
    await happens("order.shipped", 1);
    await follow();
    const slow = moment();
    receiver.answer = ({ path }, response) => {
      if (path === "/fast") response.end();
      else void slow.promise.then(() => response.end());
    };
    await sql`insert into app.outbox (kind, key, payload, run_after, created_at) values ('refund_payment', 'R1', '{"provider": "none"}', now(), now())`;
    const running = run();
    await expect
      .poll(async () => (await sql`select last_problem from app.outbox where key = 'R1'`)[0]!.last_problem)
      .toContain("none");
    await expect
      .poll(async () => (await sql`select from app.webhook_deliveries where state = 'delivered'`).length)
      .toBe(1);
    expect(receiver.at("/slow")).toHaveLength(1);
    slow.comes();
    await running;
    await sql`delete from app.outbox`;
  });

  // Guarantee webhooks/failing-events: An event that keeps failing blocks only its subject, for three days, and its gap
  // is named
  // By: app.record_attempt
  it("wait with an order whose event fails, and with no other one", async () => {
    const { id } = await makeWebhook("/blocked");
    await happens("order.shipped", 1);
    await happens("order.received", 1);
    await happens("order.shipped", 2);
    receiver.answer = (request, response) =>
      response.writeHead(messageOf(request).data.subject_id === 1 ? 500 : 200).end("not today");
    await work();
    expect(receiver.received.map(typeOf).sort()).toEqual(["order.shipped", "order.shipped"]);
    expect(
      (await deliveries(id, "&state=waiting")).map(({ type, attempts, problem }: Record<string, unknown>) => [
        type,
        attempts,
        problem,
      ]),
    ).toEqual([
      ["order.received", 0, null],
      ["order.shipped", 1, "the receiver answered with 500"],
    ]);
  });

  // Guarantee webhooks/later
  it("wait as long as the receiver asks", async () => {
    const { id } = await makeWebhook("/busy");
    receiver.answer = (_, response) => response.writeHead(503, { "retry-after": "3600" }).end();
    await happens("order.shipped", 4713);
    await work();
    const [delivery] = await sql`
      select extract(epoch from run_after - last_attempt_at)::integer as wait, status from app.webhook_deliveries where webhook_id = ${id}`;
    expect(delivery).toMatchObject({ status: 503 });
    expect(delivery!.wait).toBeGreaterThanOrEqual(3600);
  });

  // Guarantee webhooks/failing-events
  it("give an event up after three days, say so in its place, and go on with its order", async () => {
    const { id } = await makeWebhook("/gap");
    await happens("order.shipped", 1);
    await happens("order.received", 1);
    receiver.answer = (request, response) => response.writeHead(typeOf(request) === "order.shipped" ? 500 : 200).end();
    await work();
    await sql`update app.webhook_deliveries set began_at = began_at - interval '3 days'`;
    await work();
    await run();
    await run();
    expect(receiver.received.map(typeOf)).toEqual(["order.shipped", "order.shipped", "webhook.gap", "order.received"]);
    const [shipped] = receiver.received;
    expect(JSON.parse(receiver.received[2]!.body)).toMatchObject({
      data: { subject: "order", subject_id: 1, type: "order.shipped", webhook_id: shipped!.headers["webhook-id"] },
    });
    expect((await deliveries(id)).map(({ kind, state }: Record<string, unknown>) => `${kind} ${state}`).sort()).toEqual(
      ["event delivered", "event given_up", "gap delivered"],
    );
  });

  it("are switched off when they are gone or nothing succeeds, with what waits, and owners are told", async () => {
    const gone = await makeWebhook("/gone");
    const failing = await makeWebhook("/failing");
    await happens("order.shipped", 1);
    receiver.answer = ({ path }, response) => response.writeHead(path === "/gone" ? 410 : 503).end();
    await work();
    expect([await stateOf(gone.id), await stateOf(failing.id)]).toEqual(["gone", "on"]);
    await sql`update app.webhooks set failing_since = failing_since - interval '3 days'`;
    await work();
    expect(await stateOf(failing.id)).toBe("failing");
    const waiting = await call("GET", "/adminapi/waiting", { base: adminapi.base, token: proved });
    expect(waiting.body.list).toContainEqual({ kind: "stopped_webhook", count: 2, is_more: false });
    const before = receiver.received.length;
    await happens("order.shipped", 2);
    await work();
    expect(receiver.received).toHaveLength(before);

    receiver.answer = (_, response) => response.end();
    expectProblem(await ask("PUT", `/${failing.id}/state`, { on: true }, owner.token), "second_factor_required");
    expect((await ask("PUT", `/${failing.id}/state`, { on: true })).body).toMatchObject({ state: "on", waiting: 1 });
    await run();
    expect(await deliveries(failing.id)).toMatchObject([{ subject_id: 1, state: "delivered" }]);
    expect((await ask("PUT", `/${failing.id}/state`, { on: false }, owner.token)).body.state).toBe("off");
  });

  it("do not follow a redirect, and keep the beginning of a long answer", async () => {
    const { id } = await makeWebhook("/odd");
    await happens("order.shipped", 1);
    receiver.answer = (_, response) => response.writeHead(302, { location: "https://127.0.0.1/" }).end();
    await work();
    expect(await deliveries(id)).toMatchObject([
      { status: 302, problem: expect.stringContaining("redirects are not followed") as string },
    ]);
    receiver.answer = (_, response) => response.end("A".repeat(5 * 1024 * 1024));
    await work();
    expect(await deliveries(id)).toMatchObject([{ status: 200, state: "delivered", response: "A".repeat(2000) }]);
  });

  it("of an address that is not of the public Internet get nothing, and say why", async () => {
    await sql`insert into app.webhooks (url, description, types, salt, salted_at, created_by, created_at)
      values ('https://169.254.169.254/latest', 'Metadata', '{order.shipped}', ${"0".repeat(32)}, now(), gen_random_uuid(), now())`;
    await happens("order.shipped", 1);
    await work();
    expect(await sql`select problem, status from app.webhook_deliveries`).toMatchObject([
      { problem: "the name leads to an address that is not of the public Internet", status: null },
    ]);
  });

  it("that are changed get what waits at their address of then", async () => {
    const { id } = await makeWebhook("/before");
    await happens("order.shipped", 1);
    await follow();
    const fields = { url: `${receiver.url}/after`, description: "Warehouse", types: ["order.received"] };
    expectProblem(await ask("PUT", `/${id}`, fields, owner.token), "second_factor_required");
    expectProblem(await ask("PUT", `/${id}`, { ...fields, url: "http://erp.example.com" }), "invalid_argument");
    expectProblem(await ask("PUT", "/999999999", fields), "webhook_not_found");
    expect((await ask("PUT", `/${id}`, fields)).body).toMatchObject({ id, ...fields, state: "on", waiting: 1 });
    await run();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/after"]);
  });

  it("get a test once, also while they are off", async () => {
    const { id, secret } = await makeWebhook("/test");
    await ask("PUT", `/${id}/state`, { on: false });
    receiver.answer = (_, response) => response.writeHead(500).end();
    expect((await ask("POST", `/${id}/test`)).body).toMatchObject({ kind: "test", state: "waiting" });
    await run();
    await work();
    const [received, ...others] = receiver.received as [Received, ...Received[]];
    expect(others).toEqual([]);
    expect(new Webhook(secret).verify(received.body, received.headers)).toMatchObject({
      type: "webhook.test",
      data: { webhook: id },
    });
    expect(await deliveries(id)).toMatchObject([{ kind: "test", state: "given_up", status: 500 }]);
  });

  it("get a delivery again with the same id and body, and the events of a period as the preview counted them", async () => {
    const { id } = await makeWebhook("/again");
    const from = new Date(Date.now() - 60_000).toISOString();
    await happens("order.shipped", 71);
    await work();
    const [sent] = await deliveries(id);
    expectProblem(await ask("PUT", `/${id}/delivery/999999999/again`), "delivery_not_found");
    expect((await ask("PUT", `/${id}/delivery/${sent.id}/again`)).body.state).toBe("waiting");
    await run();
    const [first, second] = receiver.at("/again");
    expect(second).toMatchObject({ body: first!.body, headers: { "webhook-id": first!.headers["webhook-id"] } });

    await ask("PUT", `/${id}/state`, { on: false });
    await happens("order.received", 71);
    await follow();
    await ask("PUT", `/${id}/state`, { on: true });
    const to = new Date(Date.now() + 60_000).toISOString();
    const { events } = (await ask("GET", `/${id}/replay?from=${from}&to=${to}`)).body;
    expect(events).toBeGreaterThanOrEqual(1);
    expectProblem(await ask("POST", `/${id}/replay`, { from, to, events: events + 1 }), "changed_meanwhile");
    expect((await ask("POST", `/${id}/replay`, { from, to, events })).body).toEqual({ events });
    const replayed = () =>
      receiver
        .at("/again")
        .slice(2)
        .filter((request) => messageOf(request).data.subject_id === 71);
    // A run of the worker ends after a time, whatever is left.
    await expect.poll(() => run().then(replayed), patience).toHaveLength(2);
    expect(replayed().map(typeOf)).toEqual(["order.shipped", "order.received"]);
  });

  it("that are deleted get nothing more, and their deliveries are gone", async () => {
    const { id } = await makeWebhook("/deleted");
    await happens("order.shipped", 1);
    await follow();
    expectProblem(await ask("DELETE", `/${id}`, undefined, owner.token), "second_factor_required");
    expect((await ask("DELETE", `/${id}`)).status).toBe(200);
    await run();
    expect(receiver.received).toEqual([]);
    expect(await sql`select from app.webhook_deliveries`).toHaveLength(0);
    expectProblem(await ask("GET", `/${id}`), "webhook_not_found");
    expect(
      await sql`select function from app.admin_actions where target_type = 'webhook' and target_id = ${String(id)} order by id`,
    ).toMatchObject([{ function: "create_webhook" }, { function: "delete_webhook" }]);
  });

  // Guarantee webhooks/nothing-personal: Nothing personal is sent to webhooks
  // By: the catalogue of events
  it("get nothing personal: the keys of a body are those of the event, of its payload those of the catalogue", async () => {
    await makeWebhook("/keys", Object.keys(EVENT_TYPES));
    for (const [type, { keys }] of Object.entries(EVENT_TYPES))
      await sql`select app.write_event(${type}, 1, null, ${sql.json(Object.fromEntries(keys.map((key) => [key, 1])))}, clock_timestamp(), 'job')`;
    for (
      let left = 1;
      left > 0;
      left = (await sql`select from app.webhook_deliveries where state = 'waiting' limit 1`).length
    )
      await work();
    expect(new Set(receiver.received.map(typeOf))).toEqual(new Set(Object.keys(EVENT_TYPES)));
    for (const { body } of receiver.received) {
      const { data, ...envelope } = JSON.parse(body) as {
        type: keyof typeof EVENT_TYPES;
        timestamp: string;
        data: { payload: object };
      };
      expect(Object.keys(envelope)).toEqual(["type", "timestamp"]);
      expect(Object.keys(data).sort()).toEqual([
        "add_time",
        "cause",
        "cause_id",
        "id",
        "payload",
        "subject",
        "subject_id",
        "type",
        "uid",
        "version",
      ]);
      expect(Object.keys(data.payload).sort()).toEqual([...EVENT_TYPES[envelope.type].keys].sort());
    }
  });

  it("cannot be made without the key of their secrets", async () => {
    const without = await serveEdgeFunction("adminapi", clone.url, {});
    const body = { url: "https://erp.example.com", description: "ERP", types: ["order.paid"] };
    expectProblem(
      await call("POST", "/adminapi/webhook", { base: without.base, token: proved, json: body }),
      "webhooks_not_configured",
    );
    await without.stop();
  });
});
