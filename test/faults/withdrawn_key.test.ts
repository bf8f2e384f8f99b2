import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, expectProblem } from "../api/client.ts";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";

/** The public keys that the Auth server shows. Undefined: it does not respond. */
let published: object[] | undefined;
const auth = createServer((_request, response) => {
  if (published === undefined) return void response.destroy();
  response.end(JSON.stringify({ keys: published }));
});
let address: string;
let clone: ClonedDatabase;
let api: EdgeFunction;
let account: string;

beforeAll(async () => {
  address = await listenOnLoopback(auth);
  clone = await cloneDatabase();
  account = randomUUID();
  const sql = connect(clone.url);
  await sql`insert into auth.users (id, email, email_confirmed_at) values (${account}, 'member@example.com', now())`;
  await sql.end();
  api = await serveEdgeFunction("api", clone.url, {
    SUPABASE_URL: address,
    STORE_JWT_ISSUER: `${address}/auth/v1`,
    STORE_JWT_SECRET: "",
  });
});
afterAll(async () => {
  await api?.stop();
  await clone?.drop();
  await stopServer(auth);
});

/** A new key of the project, with a token that it has signed. */
async function newKey(kid: string): Promise<{ shown: object; token: string }> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const token = await new SignJWT({
    sub: account,
    role: "authenticated",
    aud: "authenticated",
    iss: `${address}/auth/v1`,
  })
    .setProtectedHeader({ alg: "ES256", kid })
    .setExpirationTime("1h")
    .sign(privateKey);
  return { shown: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" }, token };
}

// Guarantee access/tokens-of-removed-keys
it("a token that an edge function knows is rejected once it has fetched the keys without that of its signature, and not because it cannot fetch them", async () => {
  const [leaked, next] = [await newKey("leaked"), await newKey("next")];
  const me = (token: string) => call("GET", "/api/user", { base: api.base, token });
  published = [leaked.shown];
  for (let times = 0; times < 3; times += 1) expect((await me(leaked.token)).status).toBe(200);
  published = undefined;
  await expect.poll(async () => (await me(next.token)).body.code).toBe("auth_unavailable");
  expect((await me(leaked.token)).status).toBe(200);
  published = [next.shown];
  // Keys are fetched once a second at most.
  await expect.poll(async () => (await me(next.token)).status).toBe(200);
  for (let times = 0; times < 3; times += 1) expectProblem(await me(leaked.token), "invalid_token");
});
