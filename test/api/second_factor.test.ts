import { randomUUID } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Factors } from "../../apps/console/src/session/factors.ts";
import { isStepUpReason, StepUp } from "../../apps/console/src/session/step_up.ts";
import { codeAt, isCode } from "../../scripts/auth/totp.ts";
import {
  type ClonedDatabase,
  cloneDatabase,
  connect,
  type EdgeFunction,
  serveEdgeFunction,
  stack,
  supabaseClient,
} from "../support/index.ts";
import type { Config } from "../../apps/shared/config.ts";
import type { Reply } from "../../apps/client/calls.ts";
import { connectStore } from "../../apps/shared/connect_store.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";

// The settings of a store of its own require a second factor. Its accounts are those of the Auth server of the stack.

let clone: ClonedDatabase;
let sql: postgres.Sql;
let adminapi: EdgeFunction;
let owner: Account;
let finance: Account;
/** Their tokens after they have proved a second factor. */
let proved: { owner: string; finance: string };

/** Signs an account in, sets a second factor up, and proves it. */
async function prove({ email, password }: Account) {
  const { auth } = supabaseClient();
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull();
  const { data } = await auth.mfa.enroll({ factorType: "totp", friendlyName: randomUUID() });
  const secret = data!.totp.secret;
  const { error } = await auth.mfa.challengeAndVerify({ factorId: data!.id, code: codeAt(secret, Date.now()) });
  expect(error).toBeNull();
  return { auth, secret, factorId: data!.id, token: (await auth.getSession()).data.session!.access_token };
}

/** A token like this one with other claims, as only the Auth server can sign it. */
const resigned = (token: string, claims: object, secret = stack().jwt_secret) =>
  new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(secret));

const ask = (method: string, path: string, token: string, json?: object, headers: Record<string, string> = {}) =>
  call(method, path, { base: adminapi.base, token, ...(json && { json }), init: { headers } });
const settings = "/adminapi/system/settings";
const areasOf = async () =>
  (await sql`select second_factor_areas from app.settings`)[0]!.second_factor_areas as string[];
const require_ = (areas: string[]) => sql`update app.settings set second_factor_areas = ${areas}`;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  [adminapi, owner, finance] = await Promise.all([
    serveEdgeFunction("adminapi", clone.url, {}),
    signUpAdmin("Chief"),
    signUpAdmin("Finance"),
  ]);
  await copyAccounts(sql, owner, finance);
  await sql`select app.add_administrator(${owner.email}, '{owner}')`;
  await sql`select app.add_administrator(${finance.email}, '{finance}')`;
  proved = { owner: (await prove(owner)).token, finance: (await prove(finance)).token };
});
afterAll(async () => {
  await adminapi.stop();
  await sql.end();
  await clone.drop();
});

describe("a code of an authenticator app", () => {
  it("is that of RFC 6238, and valid one step before and after its own", () => {
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    const times = {
      59: "287082",
      1111111109: "081804",
      1111111111: "050471",
      1234567890: "005924",
      2000000000: "279037",
      20000000000: "353130",
    };
    for (const [seconds, code] of Object.entries(times)) expect(codeAt(secret, Number(seconds) * 1000)).toBe(code);
    const now = 1_234_567_890_000;
    for (const [skew, isValid] of [
      [-60, false],
      [-30, true],
      [0, true],
      [30, true],
      [60, false],
    ] as const) {
      expect(isCode(secret, codeAt(secret, now + skew * 1000), now)).toBe(isValid);
    }
    for (const bad of ["", "5924", "0059240", "abcdef", "００５９２４"]) expect(isCode(secret, bad, now)).toBe(false);
  });
});

describe("an area that needs a second factor", { concurrent: false }, () => {
  it("is closed to a session without one, and all others stay open", async () => {
    await require_(["money"]);
    expectProblem(await ask("GET", "/adminapi/liabilities", finance.token), "second_factor_required");
    const chinese = await ask("GET", "/adminapi/liabilities", finance.token, undefined, { "accept-language": "zh" });
    expect(chinese.body.title).toBe("需要第二重验证");
    expect((await ask("GET", "/adminapi/liabilities", proved.finance)).status).toBe(200);
    for (const path of ["/adminapi/me", "/adminapi/order", settings])
      expect((await ask("GET", path, finance.token)).status).toBe(200);
    expect((await ask("PUT", settings, owner.token, { site_name: "Shop" })).status).toBe(200);
  });

  it("closes the area of administrators, too: whoever can give roles can do everything", async () => {
    await require_(["money"]);
    const path = `/adminapi/administrator/${accountIdOf(finance)}`;
    expectProblem(await ask("PUT", path, owner.token, { name: "Wang" }), "second_factor_required");
    expect((await ask("PUT", path, proved.owner, { name: "Wang" })).status).toBe(200);
    await require_([]);
    expect((await ask("PUT", path, owner.token, { name: "Wang Fang" })).status).toBe(200);
  });

  // Guarantee access/second-factor
  it("is not opened by a claim that somebody has changed, nor by any but aal2", async () => {
    await require_(["money"]);
    const [header, , signature] = proved.finance.split(".");
    const forged = Buffer.from(JSON.stringify({ ...decodeJwt(finance.token), aal: "aal2" })).toString("base64url");
    const read = (token: string) => ask("GET", "/adminapi/liabilities", token);
    expectProblem(await read([header, forged, signature].join(".")), "invalid_token");
    expectProblem(
      await read(await resigned(finance.token, { aal: "aal2" }, "a secret of somebody else, long enough")),
      "invalid_token",
    );
    for (const aal of ["AAL2", "aal1", "", null, true, ["aal2"], { aal2: true }]) {
      expectProblem(await read(await resigned(proved.finance, { aal })), "second_factor_required");
    }
    expect((await read(await resigned(finance.token, { aal: "aal2", amr: "totp" }))).status).toBe(200);
  });

  it("answers a request that is repeated with its key after the proof, and keeps its response from a session without one", async () => {
    await require_(["system"]);
    const key = { "idempotency-key": randomUUID() };
    const body = { site_name: "With a key" };
    expectProblem(await ask("PUT", settings, owner.token, body, key), "second_factor_required");
    const done = await ask("PUT", settings, proved.owner, body, key);
    expect(done.body.site_name).toBe("With a key");
    expect((await ask("PUT", settings, proved.owner, body, key)).text).toBe(done.text);
    expectProblem(await ask("PUT", settings, owner.token, body, key), "second_factor_required");
  });
});

describe("the areas that need a second factor", { concurrent: false }, () => {
  // Guarantee access/second-factor
  it("are changed only by an owner who has one, who proved it lately, also to switch them off", async () => {
    await require_([]);
    const change = (token: string, areas: unknown) => ask("PUT", settings, token, { second_factor_areas: areas });
    expectProblem(await change(owner.token, ["money"]), "second_factor_required");
    const aged = await resigned(proved.owner, {
      amr: [{ method: "totp", timestamp: Math.floor(Date.now() / 1000) - 16 * 60 }],
    });
    expectProblem(await change(aged, ["money"]), "recent_sign_in_needed");
    expectProblem(await change(proved.finance, ["money"]), "forbidden");
    expect(await areasOf()).toEqual([]);
    expect((await change(proved.owner, ["system", "money", "system"])).body.second_factor_areas).toEqual([
      "money",
      "system",
    ]);
    expectProblem(await change(owner.token, []), "second_factor_required");
    await require_(["money"]);
    expectProblem(await change(owner.token, []), "second_factor_required");
    expect(await areasOf()).toEqual(["money"]);
    // What does not change needs no proof.
    expect((await change(owner.token, ["money"])).status).toBe(200);
    expect((await change(proved.owner, [])).body.second_factor_areas).toEqual([]);
    const { list } = (await ask("GET", "/adminapi/action?function=set_settings", proved.owner)).body;
    expect(list[0].to).toMatchObject({ second_factor_areas: [] });
  });

  it.each([
    ["an unknown area", ["kitchen"]],
    ["no list", "money"],
    ["an object", {}],
    ["numbers", [1]],
    ["null", null],
    ["too many", Array(100).fill("money")],
  ])("are refused as %s", async (_, areas) => {
    expectProblem(await ask("PUT", settings, proved.owner, { second_factor_areas: areas }), "invalid_argument");
    expect(await areasOf()).toEqual([]);
  });
});

describe("the console", { concurrent: false }, () => {
  it("sets a second factor up, and sends what was refused again with its key, once for all requests that wait for the code", async () => {
    const account = await signUpAdmin("At the console");
    await copyAccounts(sql, account);
    await sql`select app.add_administrator(${account.email}, '{owner}')`;
    const { auth } = supabaseClient();
    await auth.signInWithPassword(account);
    const factors = new Factors(auth);
    const stepUp = new StepUp();
    const keys: (string | null)[] = [];
    let answers = 0;
    vi.stubGlobal("navigator", { languages: ["en-GB"] });
    // The functions of this store have no gateway in front of them.
    const { fetch: send } = globalThis;
    vi.stubGlobal("fetch", (request: Request | string, init?: RequestInit) => {
      if (!(request instanceof Request) || !request.url.includes("/functions/v1/")) return send(request, init);
      keys.push(request.headers.get("idempotency-key"));
      return send(new Request(request.url.replace("/functions/v1", ""), request)).finally(() => answers++);
    });
    const { admin } = connectStore(
      { supabaseUrl: adminapi.base } as Config,
      async () => (await auth.getSession()).data.session?.access_token,
      () => expect.fail("the token was rejected"),
      (code, isRead) => (isStepUpReason(code) ? stepUp.ask(code, { isRead }) : Promise.resolve(false)),
    );
    await require_(["system", "money"]);

    const read = () => admin.GET("/adminapi/liabilities", {});
    const dismissed = read();
    await expect.poll(() => stepUp.reason).toBe("second_factor_required");
    stepUp.close(false);
    expect((await dismissed).error?.code).toBe("second_factor_required");
    expect((await read()).error?.code).toBe("second_factor_required");

    keys.length = 0;
    const key = { "Idempotency-Key": randomUUID() };
    const waiting = [
      admin.PUT(settings, { body: { site_name: "Asked for a code" }, params: { header: key } }) as Promise<
        Reply<unknown, Response>
      >,
    ];
    await expect.poll(() => stepUp.reason).toBe("second_factor_required");
    answers = 0;
    waiting.push(read());
    await expect.poll(() => answers).toBe(1);
    await factors.begin("Store");
    const begun = await factors.begin("Store");
    if (typeof begun === "string") expect.fail(begun);
    expect(decodeURIComponent(begun.qrCode)).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    expect(await factors.list()).toEqual([]);
    expect(await factors.verify(begun.id, "abcdef")).toBe("wrong_code");
    expect(await factors.verify(begun.id, codeAt(begun.secret, Date.now()))).toBeUndefined();
    expect(await factors.areProved()).toBe(true);
    stepUp.close(true);
    expect((await Promise.all(waiting)).map(({ response }) => response.status)).toEqual([200, 200]);
    expect(keys.filter((each) => each !== null)).toEqual([key["Idempotency-Key"], key["Idempotency-Key"]]);
    expect((await sql`select site_name from app.settings`)[0]!.site_name).toBe("Asked for a code");

    expect(await factors.remove((await factors.list())[0]!.id)).toBeUndefined();
    expect([await factors.list(), await factors.areProved()]).toEqual([[], false]);
  });
});

describe("the Auth server of the stack", () => {
  it("limits attempts by address, and refuses a challenge of another address or one that has expired", async () => {
    const account = await signUp("Guesses");
    const stackSql = connect(stack().database_url);
    const { auth } = supabaseClient();
    await auth.signInWithPassword(account);
    const token = (await auth.getSession()).data.session!.access_token;
    const post = (path: string, json: object, address = "192.0.2.77") =>
      fetch(`${stack().supabase_url}/auth/v1/factors${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-forwarded-for": address },
        body: JSON.stringify(json),
      }).then(async (reply) => ({
        status: reply.status,
        ...((await reply.json()) as { id: string; error_code?: string }),
      }));
    const { id } = await post("", { factor_type: "totp", friendly_name: "phone" });
    const challenge = await post(`/${id}/challenge`, {});
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 31; attempt++)
      statuses.push((await post(`/${id}/verify`, { challenge_id: challenge.id, code: "abcdef" })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(422), 429]);
    expect(await post(`/${id}/verify`, { challenge_id: challenge.id, code: "abcdef" }, "192.0.2.78")).toMatchObject({
      error_code: "mfa_ip_address_mismatch",
    });

    const late = await post(`/${id}/challenge`, {}, "192.0.2.79");
    await stackSql`update auth.mfa_challenges set created_at = now() - interval '301 seconds' where id = ${late.id}`;
    const code = (await stackSql`select secret from auth.mfa_factors where id = ${id}`)[0]!.secret as string;
    const expired = await post(
      `/${id}/verify`,
      { challenge_id: late.id, code: codeAt(code, Date.now()) },
      "192.0.2.79",
    );
    expect(expired).toMatchObject({ status: 422, error_code: "mfa_challenge_expired" });
    await stackSql.end();
  });
});

describe("a second factor that somebody has lost", () => {
  // Guarantee access/second-factor-lost
  it("is removed by two other owners together, who sign its person out", async () => {
    const [lost, one, two] = await Promise.all([
      signUpAdmin("Lost the phone"),
      signUpAdmin("Asks"),
      signUpAdmin("Confirms"),
    ]);
    const { auth, token: own } = await prove(lost);
    const removal = `/adminapi/factor_removal/${accountIdOf(lost)}`;
    const personOf = (reply: { body: { list: { auth_id: string | null }[] } }) =>
      reply.body.list.find(({ auth_id }) => auth_id === accountIdOf(lost));

    expectProblem(await call("PUT", removal, { token: two.token }), "changed_meanwhile");
    expectProblem(await call("POST", removal, { token: own }), "own_account");
    const asked = await call("POST", removal, { token: one.token });
    expect(personOf(asked)).toMatchObject({
      has_second_factor: true,
      factor_removal: { asked_by: { auth_id: accountIdOf(one) } },
    });
    expectProblem(await call("PUT", removal, { token: one.token }), "second_administrator_needed");
    expect(personOf(await call("DELETE", removal, { token: two.token }))).toMatchObject({ factor_removal: null });
    expectProblem(await call("DELETE", removal, { token: two.token }), "changed_meanwhile");

    await call("POST", removal, { token: one.token });
    const confirm = () =>
      call("PUT", removal, { token: two.token, init: { headers: { "idempotency-key": accountIdOf(lost) } } });
    const confirmed = await confirm();
    expect(personOf(confirmed)).toMatchObject({ has_second_factor: false, factor_removal: null });
    expect((await confirm()).text).toBe(confirmed.text);
    expect((await auth.refreshSession()).error).not.toBeNull();
    // A second factor can be set up anew.
    const { token } = await prove(lost);
    expect((await call("GET", "/adminapi/me", { token })).status).toBe(200);
    const { list } = (
      await call("GET", `/adminapi/action?target_type=administrator&target_id=${accountIdOf(lost)}`, {
        token: one.token,
      })
    ).body;
    expect(
      (list as { function: string }[]).map((row) => row.function).filter((name) => name.includes("factor")),
    ).toEqual(["confirm_factor_removal", "request_factor_removal", "cancel_factor_removal", "request_factor_removal"]);
    expectProblem(
      await call("POST", `/adminapi/factor_removal/${randomUUID()}`, { token: one.token }),
      "administrator_not_found",
    );
  });
});
