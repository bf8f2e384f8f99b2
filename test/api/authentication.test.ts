import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authenticate, createAuthentication } from "../../functions/_shared/authentication.ts";

const SECONDS = () => Math.floor(Date.now() / 1000);
const CLAIMS = { sub: "5f1f8a4e-6f0b-4c68-9c6c-0d6c5b7a9e11", role: "authenticated", aud: "authenticated" };

let server: Server;
let jwksUrl: URL;
let ours: { privateKey: CryptoKey; publicKey: CryptoKey };
let foreign: { privateKey: CryptoKey };
let authenticate: Authenticate;

// A project with asymmetric keys, like hosted projects. Its public keys are fetched over HTTP.
beforeAll(async () => {
  ours = await generateKeyPair("ES256", { extractable: true });
  foreign = await generateKeyPair("ES256");
  const jwk = { ...await exportJWK(ours.publicKey), kid: "ours", alg: "ES256", use: "sig" };
  server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  jwksUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  authenticate = createAuthentication({ jwksUrl });
});

afterAll(() => {
  server.close();
});

interface TokenOptions {
  key?: CryptoKey | Uint8Array;
  kid?: string;
  alg?: string;
  expires?: number;
}

async function bearer(claims: Record<string, unknown>, { key, kid = "ours", alg = "ES256", expires = 3600 }: TokenOptions = {}) {
  const token = await new SignJWT({ exp: SECONDS() + expires, ...claims }).setProtectedHeader({ alg, kid }).sign(key ?? ours.privateKey);
  return `Bearer ${token}`;
}

describe("a project with public keys", () => {
  it("accepts its own tokens", async () => {
    expect(await authenticate(await bearer(CLAIMS))).toMatchObject(CLAIMS);
    expect(await authenticate((await bearer({ ...CLAIMS, aud: ["other", "authenticated"] })).replace("Bearer", "bearer"))).toHaveProperty("sub");
  });

  it("treats a missing header, a publishable key and the legacy public key as anonymous", async () => {
    expect(await authenticate(undefined)).toEqual({});
    expect(await authenticate("Bearer sb_publishable_abc")).toEqual({});
    expect(await authenticate(await bearer({ role: "anon", iss: "supabase" }))).toEqual({});
  });

  it("rejects a token signed with the key of another project, with and without its key id", async () => {
    await expect(authenticate(await bearer(CLAIMS, { key: foreign.privateKey }))).rejects.toThrow("invalid_token");
    await expect(authenticate(await bearer(CLAIMS, { key: foreign.privateKey, kid: "theirs" }))).rejects.toThrow("invalid_token");
  });

  it("rejects a token signed with the public key as a shared secret", async () => {
    const key = new TextEncoder().encode(JSON.stringify(await exportJWK(ours.publicKey)));
    await expect(authenticate(await bearer(CLAIMS, { key, alg: "HS256" }))).rejects.toThrow("invalid_token");
  });

  it("allows clocks to differ by 30 seconds", async () => {
    expect(await authenticate(await bearer(CLAIMS, { expires: -20 }))).toHaveProperty("sub");
    await expect(authenticate(await bearer(CLAIMS, { expires: -40 }))).rejects.toThrow("token_expired");
    await expect(authenticate(await bearer({ ...CLAIMS, nbf: SECONDS() + 60 }))).rejects.toThrow("invalid_token");
  });

  it.each([
    ["another audience", { aud: "elsewhere" }],
    ["no audience", { aud: undefined }],
    ["no account", { sub: undefined }],
    ["an account that is no uuid", { sub: "10001" }],
    ["no role", { role: undefined }],
    ["no end", { exp: undefined }],
  ])("refuses a token with %s", async (_name, claims) => {
    await expect(authenticate(await bearer({ ...CLAIMS, ...claims }))).rejects.toThrow("invalid_token");
  });

  it.each(["service_role", "postgres", "supabase_admin", ""])("rejects the role %j", async (role) => {
    await expect(authenticate(await bearer({ ...CLAIMS, role }))).rejects.toThrow("forbidden");
  });

  it.each(["Bearer", "Bearer ", "Basic abc", "Bearer a b", "Bearer ..", "Bearer sb_secret_abc"])("refuses the header %j", async (header) => {
    await expect(authenticate(header)).rejects.toThrow("invalid_token");
  });

  it("does not report an invalid token if the keys cannot be fetched", async () => {
    const unreachable = createAuthentication({ jwksUrl: new URL("http://127.0.0.1:9/") });
    await expect(unreachable(await bearer(CLAIMS))).rejects.toThrow("auth_unavailable");
  });
});

describe("a project with a shared secret", () => {
  const secret = "a shared secret of at least thirty-two characters";
  const key = new TextEncoder().encode(secret);

  it("accepts only tokens signed with it", async () => {
    const withSecret = createAuthentication({ jwksUrl, sharedSecret: secret });
    expect(await withSecret(await bearer(CLAIMS, { key, alg: "HS256" }))).toMatchObject(CLAIMS);
    await expect(withSecret(await bearer(CLAIMS))).rejects.toThrow("invalid_token");
    await expect(withSecret(await bearer(CLAIMS, { key, alg: "HS512" }))).rejects.toThrow("invalid_token");
  });
});
