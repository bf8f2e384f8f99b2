import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "../../functions/_shared/error_registry.ts";
import type { Route } from "../../functions/_shared/route.ts";
import { stack } from "../support/index.ts";
import { type Account, call, expectProblem, type Reply, routes, signUp, signUpAdmin } from "./client.ts";

/** An id that does not exist, so that no call of this file changes anything. */
const NOBODY = "900000000000001";
/** The provider of the local stack takes notifications. */
const pathOf = ({ path }: Route) => path.replace("{provider}", "local").replaceAll(/{\w+}/g, NOBODY);
const name = (route: Route) => `${route.method.toUpperCase()} ${route.path}`;
const cases = (filter: (route: Route) => boolean) => routes.filter(filter).map((route) => [name(route), route] as const);

let member: Account;
let admin: Account;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  [member, admin] = await Promise.all([signUp("Route walker"), signUpAdmin("Administrator of routes")]);
  const [header, payload, signature] = member.token.split(".") as [string, string, string];
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const sign = (claims: Record<string, unknown>, secret: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(secret));
  const claims = decode(payload);
  const { jwt_secret } = stack();

  tokens["no token at all"] = "nonsense";
  tokens["a foreign signature"] = await sign(claims, "the secret of some other project, long enough");
  tokens["no signature, alg none"] = `${encode({ alg: "none", typ: "JWT" })}.${payload}.`;
  tokens["an algorithm that was swapped"] = `${encode({ alg: "ES256", typ: "JWT" })}.${payload}.${signature}`;
  tokens["a payload that was changed"] = `${header}.${encode({ ...claims, role: "store_admin" })}.${signature}`;
  tokens["another audience"] = await sign({ ...claims, aud: "elsewhere" }, jwt_secret);
  tokens["another issuer"] = await sign({ ...claims, iss: "https://elsewhere.supabase.co/auth/v1" }, jwt_secret);
  tokens["no account"] = await sign({ ...claims, sub: undefined }, jwt_secret);
  tokens.expired = await sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 }, jwt_secret);
  tokens["role service_role"] = await sign({ ...claims, role: "service_role" }, jwt_secret);
});

describe.each(cases(() => true))("%s", (_name, route) => {
  const method = route.method.toUpperCase();

  it.each([
    "no token at all",
    "a foreign signature",
    "no signature, alg none",
    "an algorithm that was swapped",
    "a payload that was changed",
    "another audience",
    "another issuer",
    "no account",
  ])("rejects a token with %s", async (kind) => {
    const reply = await call(method, pathOf(route), { token: tokens[kind] });
    expectProblem(reply, "invalid_token");
    expect(reply.headers.get("www-authenticate")).toContain("invalid_token");
  });

  it("rejects an expired token with token_expired", async () => {
    expectProblem(await call(method, pathOf(route), { token: tokens.expired }), "token_expired");
  });

  it("rejects a role that is not allowed in a token", async () => {
    expectProblem(await call(method, pathOf(route), { token: tokens["role service_role"] }), "forbidden");
  });

  it("returns 405 for methods that the path does not have", async () => {
    const reply = await call("PATCH", pathOf(route));
    expectProblem(reply, "method_not_allowed");
    expect(reply.headers.get("allow")?.split(", ")).toContain(method);
  });
});

describe.each(cases(({ handler }) => handler === undefined))("%s", (_name, route) => {
  it("rejects and names an unknown query parameter", async () => {
    // An administrator may call every route.
    const reply = await call(route.method.toUpperCase(), `${pathOf(route)}?surprise=1&constructor=2`, { token: admin.token });
    expectProblem(reply, "invalid_argument");
    for (const pointer of ["/surprise", "/constructor"])
      expect(reply.body.errors).toContainEqual(expect.objectContaining({ in: "query", pointer }));
  });
});

/** Why a public route refuses a request with an unknown id and without a body. */
const REFUSED: ErrorCode[] = ["product_not_found", "article_not_found", "invalid_argument", "signature_invalid"];

/** The code of a problem, which providers of payments get as a message; otherwise the status. */
const answerOf = ({ status, body }: Reply): number | string => (status < 400 ? status : body.code === "FAIL" ? body.message : body.code);

describe.each(cases(({ auth }) => auth === "public"))("%s", (_name, route) => {
  const method = route.method.toUpperCase();

  it("serves visitors and members", async () => {
    const visitor = await call(method, pathOf(route));
    const asMember = await call(method, pathOf(route), { token: member.token });
    expect(answerOf(visitor)).toEqual(answerOf(asMember));
    expect([200, ...REFUSED]).toContain(answerOf(visitor));
    const needsNothing = !route.path.includes("{") && route.request.query.safeParse({}).success;
    if (method === "GET" && needsNothing) expect(visitor.status).toBe(200);
  });

  it("treats a publishable key as no token", async () => {
    const { publishable_key } = stack();
    const [visitor, withKey] = [await call(method, pathOf(route)), await call(method, pathOf(route), { token: publishable_key })];
    expect(answerOf(withKey)).toEqual(answerOf(visitor));
  });
});

describe.each(cases(({ auth }) => auth !== "public"))("%s", (_name, route) => {
  it("requires visitors to sign in", async () => {
    const reply = await call(route.method.toUpperCase(), pathOf(route));
    expectProblem(reply, "unauthenticated");
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe.each(cases(({ auth }) => auth === "admin"))("%s", (_name, route) => {
  it("is forbidden to members", async () => {
    expectProblem(await call(route.method.toUpperCase(), pathOf(route), { token: member.token }), "forbidden");
  });

  // The database would reject it, too. This tests the check before it, which does not read the input.
  it("is forbidden to members before their input is validated", async () => {
    const path = `${route.path.replaceAll(/{\w+}/g, "no-id")}?page=no-page`;
    const reply = await call(route.method.toUpperCase(), path, { token: member.token });
    expectProblem(reply, "forbidden");
  });
});

describe.each(cases(({ auth, method, takes }) => auth === "user" && method !== "get" && takes === undefined))("%s", (_name, route) => {
  const send = (contentType: string, body: string | Uint8Array<ArrayBuffer>) =>
    call(route.method.toUpperCase(), pathOf(route), {
      token: member.token,
      init: { headers: { "content-type": contentType }, body },
    });

  it.each(["{", '{"a":1} {', "undefined", "[1,]"])("rejects a body that is not JSON: %s", async (body) => {
    expectProblem(await send("application/json", body), "malformed_json");
  });

  it("rejects a body that is not UTF-8", async () => {
    expectProblem(await send("application/json", Uint8Array.of(0x22, 0xff, 0x22)), "malformed_json");
  });

  it("rejects a body without a JSON media type", async () => {
    expectProblem(await send("text/plain", "{}"), "unsupported_media_type");
    expectProblem(await send("application/x-www-form-urlencoded", "a=1"), "unsupported_media_type");
  });

  it("rejects a body of more than 64 KiB, declared or not", async () => {
    const body = JSON.stringify({ filler: "x".repeat(64 * 1024) });
    expectProblem(await send("application/json", body), "body_too_large");
    const stream = new Blob([body]).stream();
    const undeclared = await call(route.method.toUpperCase(), pathOf(route), {
      token: member.token,
      init: { headers: { "content-type": "application/json" }, body: stream, duplex: "half" } as RequestInit,
    });
    expectProblem(undeclared, "body_too_large");
  });

  it.each([null, [], "text", 1, true])("rejects a body that is not an object: %j", async (json) => {
    expectProblem(await call(route.method.toUpperCase(), pathOf(route), { token: member.token, json }), "invalid_argument");
  });

  it("rejects and names an unknown field", async () => {
    const reply = await call(route.method.toUpperCase(), pathOf(route), { token: member.token, json: { surprise: 1, "a/b": 2 } });
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ in: "body", pointer: "/surprise" }),
        expect.objectContaining({ in: "body", pointer: "/a~1b" }),
      ]),
    );
  });
});
