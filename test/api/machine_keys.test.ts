import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUpAdmin } from "./client.ts";
import { admitMachineKeys, prove } from "./proof.ts";

// A store of its own, whose clock of keys is moved. Its accounts are those of the Auth server of the stack.

let clone: ClonedDatabase;
let sql: postgres.Sql;
let adminapi: EdgeFunction;
let api: EdgeFunction;
let owner: Account;
let colleague: Account;
/** Their tokens after they have proved a second factor. */
let proved: { owner: string; colleague: string };

const ask = (method: string, path: string, token: string, json?: object, headers: Record<string, string> = {}) =>
  call(method, path, { base: adminapi.base, token, ...(json && { json }), init: { headers } });

/** Makes a key as an administrator does. */
async function makeKey(
  scopes: string[],
  more: object = {},
  token = proved.owner,
): Promise<{ id: number; secret: string }> {
  const { status, body } = await ask("POST", "/adminapi/machine_key", token, { name: "Warehouse", scopes, ...more });
  expect(status).toBe(201);
  return { id: body.machine_key.id, secret: body.secret };
}
const keyOf = async (id: number) =>
  (await ask("GET", "/adminapi/machine_key", proved.owner)).body.list.find((key: { id: number }) => key.id === id);
const orders = (secret: string, headers: Record<string, string> = {}) =>
  ask("GET", "/adminapi/order", secret, undefined, headers);

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  [adminapi, api, owner, colleague] = await Promise.all([
    serveEdgeFunction("adminapi", clone.url, {}),
    serveEdgeFunction("api", clone.url, {}),
    signUpAdmin("Chief"),
    signUpAdmin("Colleague"),
  ]);
  await copyAccounts(sql, owner, colleague);
  await admitMachineKeys(sql);
  await sql`select app.add_administrator(${owner.email}, '{owner}', 'Chief')`;
  await sql`select app.add_administrator(${colleague.email}, '{owner}', 'Colleague')`;
  proved = { owner: await prove(owner), colleague: await prove(colleague) };
});
afterAll(async () => {
  await Promise.all([adminapi.stop(), api.stop()]);
  await sql.end();
  await clone.drop();
});

describe("a machine key", { concurrent: false }, () => {
  it("is shown once, and the store knows only its hash", async () => {
    const { id, secret } = await makeKey(["orders:read", "content:read"], { name: "ERP" });
    expect(secret).toMatch(new RegExp(`^sck_${id}_[0-9a-f]{64}$`));
    const listed = await ask("GET", "/adminapi/machine_key", proved.owner);
    expect(listed.text).not.toContain(secret.split("_")[2]);
    expect(await keyOf(id)).toMatchObject({
      name: "ERP",
      scopes: ["content:read", "orders:read"],
      calls_per_hour: 3600,
      state: "active",
      owner: { nickname: "Chief" },
      last_used_at: null,
    });
    const [row] =
      await sql`select hash, expires_at - created_at between '364 days' and '366 days' as a_year from app.machine_keys where id = ${id}`;
    expect(row!.a_year).toBe(true);
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(secret.split("_")[2]!)));
    expect(digest.equals(row!.hash)).toBe(true);
  });

  // Guarantee access/machine-key
  it("reads and writes what its scopes allow, and nothing else", async () => {
    const reader = await makeKey(["orders:read"]);
    expect((await orders(reader.secret)).status).toBe(200);
    expect((await ask("GET", "/adminapi/shipping", reader.secret)).status).toBe(200);
    const refused = await ask("POST", "/adminapi/carrier", reader.secret, { code: "ZZ", name: "Z", name_zh: "中" });
    expectProblem(refused, "forbidden");
    expect(refused.body.detail).toBe("This machine key needs the scope orders:write for this. Make a key that has it.");
    const others = ["/adminapi/user", "/adminapi/bill", "/adminapi/overview", "/adminapi/product"];
    for (const path of others) expectProblem(await ask("GET", path, reader.secret), "forbidden");
    const chinese = await ask("GET", "/adminapi/user", reader.secret, undefined, { "accept-language": "zh" });
    expect(chinese.body.detail).toBe("该机器密钥缺少权限 members:read，请新建一个具有该权限的密钥。");

    const writer = await makeKey(["orders:write"]);
    const carrier = { code: "YTO2", name: "YTO", name_zh: "圆通" };
    expect((await ask("POST", "/adminapi/carrier", writer.secret, carrier)).status).toBe(201);
    expectProblem(await orders(writer.secret), "forbidden");
  });

  it("does nothing that is for people only, even with every scope", async () => {
    const scopes = (await ask("GET", "/adminapi/openapi.json", proved.owner)).body.components.schemas.MachineKey
      .properties.scopes.items.enum;
    const { id, secret } = await makeKey(scopes);
    const forbidden: [string, string, object?][] = [
      ["POST", "/adminapi/machine_key", { name: "More", scopes: ["orders:read"] }],
      ["GET", "/adminapi/machine_key"],
      ["DELETE", `/adminapi/machine_key/${id}`],
      ["PUT", `/adminapi/machine_key/${id}/owner`, { owner: accountIdOf(colleague) }],
      ["GET", "/adminapi/administrator"],
      ["DELETE", `/adminapi/administrator/${accountIdOf(colleague)}`],
      ["PUT", "/adminapi/system/settings", { withdrawal_limit: "1000000.00" }],
      ["GET", "/adminapi/me"],
      ["POST", "/adminapi/search/contact", { contact: "chen@example.com" }],
    ];
    for (const [method, path, json] of forbidden) {
      const reply = await ask(method, path, secret, json);
      expectProblem(reply, "forbidden");
      expect(reply.body.detail).toBe("Machine keys cannot do this, only people can.");
    }
    // The database refuses the same without the edge function.
    const claims = { role: "store_key", sub: accountIdOf(owner), key: id };
    for (const called of [
      "set_settings",
      "get_own_roles",
      "get_administrators",
      "get_me",
      "get_health",
      "use_machine_key",
    ]) {
      await expect(
        sql`set role store_api`.then(() => sql`select app.as_caller(${sql.json(claims)}, ${called}, '{}')`),
      ).rejects.toThrow(/permission denied|argument/);
      await sql`reset role`;
    }
  });

  it.each([
    ["without a secret", "sck_"],
    ["without an id", `sck_${"0".repeat(64)}`],
    ["with a short secret", "sck_1_00"],
    ["with an id that is no number", `sck_x_${"0".repeat(64)}`],
    ["of an id that nobody has", `sck_999999999999999_${"0".repeat(64)}`],
    ["of another's id", "swapped"],
    ["beside another", "two"],
  ])("is refused %s", async (_name, given) => {
    const [one, two] = [await makeKey(["orders:read"]), await makeKey(["orders:read"])];
    const [, , secret] = one.secret.split("_");
    const sent = { swapped: `sck_${two.id}_${secret}`, two: `${one.secret}, Bearer ${two.secret}` }[given] ?? given;
    const reply = await orders(sent);
    expectProblem(reply, "invalid_key");
    expect(reply.headers.get("www-authenticate")).toContain("invalid_token");
  });

  // Guarantee access/machine-key
  it("is refused as soon as it is revoked, has expired, or its owner is blocked", async () => {
    const { id, secret } = await makeKey(["orders:read"]);
    const refusal = async () => {
      const reply = await orders(secret);
      expectProblem(reply, "invalid_key");
      return reply.body.detail;
    };
    await sql`update app.machine_keys set created_at = now() - interval '1 year', expires_at = now() where id = ${id}`;
    expect(await refusal()).toBe("This machine key has expired.");
    await sql`update app.machine_keys set expires_at = now() + interval '1 day' where id = ${id}`;
    await sql`update auth.users set banned_until = now() + interval '1 day' where email = ${owner.email}`;
    expect(await refusal()).toBe("The owner of this machine key is blocked.");
    await sql`update auth.users set banned_until = null where email = ${owner.email}`;
    expect((await orders(secret)).status).toBe(200);
    for (const state of ["revoked", "revoked"]) {
      expect((await ask("DELETE", `/adminapi/machine_key/${id}`, owner.token)).body.state).toBe(state);
      expect(await refusal()).toBe("This machine key was revoked.");
    }
    expectProblem(
      await ask("PUT", `/adminapi/machine_key/${id}/owner`, proved.owner, { owner: accountIdOf(colleague) }),
      "changed_meanwhile",
    );
    // A call whose key was verified a moment before is refused, too.
    const claims = { role: "store_key", sub: accountIdOf(owner), key: id };
    await expect(sql`select app.as_caller(${sql.json(claims)}, 'admin_get_orders', '{}')`).rejects.toThrow(
      "invalid_key",
    );
    await sql`reset role`;
  });

  it("opens nothing in the other edge functions", async () => {
    const { secret } = await makeKey(["orders:read", "content:read"]);
    for (const path of ["/api/user", "/api/product", "/api/health"]) {
      const reply = await call("GET", path, { base: api.base, token: secret });
      expectProblem(reply, "forbidden");
    }
  });

  it("makes as many calls in an hour as it may, whether they succeed or not", async () => {
    const { id, secret } = await makeKey(["orders:read"], { calls_per_hour: 3 });
    expect((await orders(secret)).status).toBe(200);
    expectProblem(await ask("GET", "/adminapi/order?limit=0", secret), "invalid_argument");
    expectProblem(await ask("GET", "/adminapi/user", secret), "forbidden");
    const reply = await orders(secret);
    expectProblem(reply, "too_many_requests");
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(reply.body.detail).toMatch(
      /^This machine key makes at most 3 calls in an hour\. Try again in \d+ minutes\.$/,
    );
    expect((await keyOf(id)).last_used_at).not.toBeNull();
  });

  it("is named in the action log, with its owner", async () => {
    const { id, secret } = await makeKey(["orders:write"], { name: "Warehouse 2" });
    const carrier = { code: "STO2", name: "STO", name_zh: "申通" };
    expect((await ask("POST", "/adminapi/carrier", secret, carrier)).status).toBe(201);
    const { body } = await ask("GET", "/adminapi/action?function=create_carrier", proved.owner);
    expect(body.list[0]).toMatchObject({
      actor: { nickname: "Chief" },
      machine_key: { id, name: "Warehouse 2" },
      target_id: "STO2",
    });
    const made = await ask("GET", `/adminapi/action?target_type=machine_key&target_id=${id}`, proved.owner);
    expect(made.body.list[0]).toMatchObject({
      function: "create_machine_key",
      machine_key: null,
      subject: { name: "Warehouse 2" },
    });
  });

  it("has idempotency keys of its own", async () => {
    const [one, two] = [await makeKey(["orders:write"]), await makeKey(["orders:write"])];
    const headers = { "idempotency-key": randomUUID() };
    const create = (token: string, code: string) =>
      ask("POST", "/adminapi/carrier", token, { code, name: code, name_zh: `快递${code}` }, headers);
    expect((await create(one.secret, "K1")).status).toBe(201);
    expect((await create(one.secret, "K1")).status).toBe(201);
    expectProblem(await create(one.secret, "K2"), "idempotency_key_reused");
    expect((await create(two.secret, "K2")).status).toBe(201);
    expect((await create(proved.owner, "K3")).status).toBe(201);
  });

  // Guarantee access/machine-key-repeated: A request that a program repeats with its idempotency key has one effect,
  // whoever owns the machine key by then
  // By: api.hand_over_machine_key, app.forget_person
  it("repeats a request without a second effect, also after it was handed over", async () => {
    const { id, secret } = await makeKey(["orders:write"]);
    const headers = { "idempotency-key": randomUUID() };
    const create = () => ask("POST", "/adminapi/carrier", secret, { code: "HO", name: "HO", name_zh: "移交" }, headers);
    const first = await create();
    expect(first.status).toBe(201);
    const handedOver = await ask("PUT", `/adminapi/machine_key/${id}/owner`, proved.owner, {
      owner: accountIdOf(colleague),
    });
    expect(handedOver.body.owner.nickname).toBe("Colleague");
    expect(await create()).toMatchObject({ status: 201, body: first.body });
  });
});

describe("an administrator", { concurrent: false }, () => {
  it("makes and hands over a key only with a second factor, and revokes it without", async () => {
    const key = { name: "Warehouse", scopes: ["orders:read"] };
    expectProblem(await ask("POST", "/adminapi/machine_key", owner.token, key), "second_factor_required");
    const { id } = await makeKey(["orders:read"]);
    const path = `/adminapi/machine_key/${id}`;
    const other = { owner: accountIdOf(colleague) };
    expectProblem(await ask("PUT", `${path}/owner`, owner.token, other), "second_factor_required");
    expect((await ask("PUT", `${path}/owner`, proved.owner, other)).body.owner.nickname).toBe("Colleague");
    expect((await ask("DELETE", path, owner.token)).status).toBe(200);
    expectProblem(await ask("DELETE", "/adminapi/machine_key/999999", owner.token), "machine_key_not_found");
    expectProblem(
      await ask("PUT", `/adminapi/machine_key/${id}/owner`, proved.owner, { owner: randomUUID() }),
      "administrator_not_found",
    );
  });

  it("must be an owner", async () => {
    await sql`update app.administrators set roles = '{finance, service, content}' where auth_id = ${accountIdOf(colleague)}`;
    for (const [method, path, json] of [
      ["GET", "/adminapi/machine_key"],
      ["POST", "/adminapi/machine_key", { name: "Mine", scopes: ["orders:read"] }],
      ["DELETE", "/adminapi/machine_key/1"],
    ] as const)
      expectProblem(await ask(method, path, proved.colleague, json), "forbidden");
    await sql`update app.administrators set roles = '{owner}' where auth_id = ${accountIdOf(colleague)}`;
  });

  it.each([
    [{ scopes: [] }, "/scopes"],
    [{ scopes: ["plan:write"] }, "/scopes/0"],
    [{ scopes: ["orders:read", "orders:read"] }, "/scopes"],
    [{ name: " " }, "/name"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "/expires_at"],
    [{ expires_at: new Date(Date.now() + 800 * 86_400_000).toISOString() }, "/expires_at"],
    [{ calls_per_hour: 0 }, "/calls_per_hour"],
  ])("makes no key with %j", async (wrong, pointer) => {
    const reply = await ask("POST", "/adminapi/machine_key", proved.owner, {
      name: "Warehouse",
      scopes: ["orders:read"],
      ...wrong,
    });
    expectProblem(reply, "invalid_argument");
    expect(JSON.stringify(reply.body)).toContain(pointer);
  });

  it("makes no key that a repeated request could show again", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const reply = await ask(
      "POST",
      "/adminapi/machine_key",
      proved.owner,
      { name: "Warehouse", scopes: ["orders:read"] },
      headers,
    );
    expectProblem(reply, "invalid_argument");
  });

  it("leaves keys behind that stand still, and that somebody can take over for 30 days", async () => {
    const own = [
      await makeKey(["orders:read"], {}, proved.colleague),
      await makeKey(["orders:read"], {}, proved.colleague),
    ];
    const [taken, left] = own as [(typeof own)[0], (typeof own)[0]];
    const finding = async () =>
      (await sql`select severity, message from app.verify_machine_keys()`)[0] as { severity: string; message: string };
    await sql`update app.machine_keys set revoked_at = now() where id < ${taken.id}`;
    expect((await finding()).severity).toBe("ok");
    expect((await ask("DELETE", `/adminapi/administrator/${accountIdOf(colleague)}`, proved.owner)).status).toBe(200);
    for (const { id, secret } of own) {
      const reply = await orders(secret);
      expectProblem(reply, "invalid_key");
      expect(reply.body.detail).toBe(
        "The owner of this machine key has left. Hand it over to an administrator, or make a new one.",
      );
      expect(await keyOf(id)).toMatchObject({ state: "blocked" });
    }
    expect(await finding()).toMatchObject({
      severity: "warning",
      message: expect.stringMatching(/Warehouse \(.*Warehouse \(/),
    });

    const handedOver = await ask("PUT", `/adminapi/machine_key/${taken.id}/owner`, proved.owner, {
      owner: accountIdOf(owner),
    });
    expect(handedOver.body).toMatchObject({ state: "active", owner: { nickname: "Chief" }, owner_left_at: null });
    await sql`update app.machine_keys set owner_left_at = owner_left_at - interval '30 days' where owner_left_at is not null`;
    expect((await orders(taken.secret)).status).toBe(200);
    const reply = await orders(left.secret);
    expectProblem(reply, "invalid_key");
    expect(reply.body.detail).toBe("The owner of this machine key has left, and nobody took it over within 30 days.");
    expect((await keyOf(left.id)).state).toBe("ended");
    expectProblem(
      await ask("PUT", `/adminapi/machine_key/${left.id}/owner`, proved.owner, { owner: accountIdOf(owner) }),
      "changed_meanwhile",
    );
    await sql`select app.add_administrator(${colleague.email}, '{owner}', 'Colleague')`;
  });

  it("leaves keys behind also when the account is deleted", async () => {
    const leaver = await signUpAdmin("Leaver");
    await copyAccounts(sql, leaver);
    await sql`select app.add_administrator(${leaver.email}, '{owner}')`;
    const { id, secret } = await makeKey(["orders:read"], {}, await prove(leaver));
    await sql`delete from auth.users where email = ${leaver.email}`;
    expectProblem(await orders(secret), "invalid_key");
    expect(await keyOf(id)).toMatchObject({ state: "blocked" });
  });
});

describe("where two people decide", { concurrent: false }, () => {
  it("a key counts as its owner, is never the second, and is not handed over", async () => {
    const { id, secret } = await makeKey(["money:write"]);
    expectProblem(
      await ask("PUT", `/adminapi/machine_key/${id}/owner`, proved.owner, { owner: accountIdOf(colleague) }),
      "invalid_argument",
    );
    const [{ uid }] = (await sql`
      with member as (insert into app.users (nickname) values ('Payee') returning uid)
      insert into app.user_balances (uid) select uid from member returning uid::integer`) as unknown as [
      { uid: number },
    ];
    const adjustment = { uid, brokerage: "5000.00", reason: "Above the limit of a day" };
    const made = await ask("POST", "/adminapi/adjustment", secret, adjustment);
    expect(made.body.state).toBe("waiting");
    const approve = (token: string) => ask("PUT", `/adminapi/adjustment/${made.body.id}/approve`, token);
    expectProblem(await approve(secret), "second_administrator_needed");
    expectProblem(await approve(owner.token), "second_administrator_needed");
    const other = await makeKey(["money:write"], {}, proved.colleague);
    expectProblem(await approve(other.secret), "second_administrator_needed");
    expect((await approve(proved.colleague)).body.state).toBe("booked");
    const { body } = await ask("GET", "/adminapi/action?function=create_adjustment", proved.owner);
    expect(body.list[0]).toMatchObject({ actor: { nickname: "Chief" }, machine_key: { id } });
  });
});
