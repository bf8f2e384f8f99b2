import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "../../functions/_shared/responses/error_registry.ts";
import { stack } from "../support/index.ts";
import { type Account, call, expectProblem, type Reply, signUp } from "./client.ts";
import { cases, pathOf } from "./route_cases.ts";

let member: Account;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  member = await signUp("Route walker");
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

  // Guarantee access/tokens: Every route rejects forged, expired and foreign tokens
  // By: functions/_shared/access/authentication.ts
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

  // Guarantee access/tokens
  it("rejects an expired token with token_expired", async () => {
    expectProblem(await call(method, pathOf(route), { token: tokens.expired }), "token_expired");
  });

  // Guarantee access/tokens
  it("rejects a role that is not allowed in a token", async () => {
    expectProblem(await call(method, pathOf(route), { token: tokens["role service_role"] }), "forbidden");
  });
});

/** Why a public route refuses a request with an unknown id and without a body. */
const REFUSED: ErrorCode[] = ["product_not_found", "article_not_found", "invalid_argument", "signature_invalid"];

/** The code of a problem, which providers of payments get as a message; otherwise the status. */
const answerOf = ({ status, body }: Reply): number | string =>
  status < 400 ? status : body.code === "FAIL" ? body.message : body.code;

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
    const [visitor, withKey] = [
      await call(method, pathOf(route)),
      await call(method, pathOf(route), { token: publishable_key }),
    ];
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
});
