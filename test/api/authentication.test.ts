import { createServer, type Server } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { type Authentication, createAuthentication } from "../../functions/_shared/access/authentication.ts";
import { readSettings } from "../../functions/_shared/ground/env.ts";
import { listenOnLoopback } from "../support/loopback_server.ts";

const SECONDS = () => Math.floor(Date.now() / 1000);
const ISSUER = "https://project.supabase.co/auth/v1";
const CLAIMS = {
  iss: ISSUER,
  sub: "5f1f8a4e-6f0b-4c68-9c6c-0d6c5b7a9e11",
  role: "authenticated",
  aud: "authenticated",
};

let server: Server;
let jwksUrl: URL;
let ours: { privateKey: CryptoKey; publicKey: CryptoKey };
let foreign: { privateKey: CryptoKey };
let authenticate: Authentication["authenticate"];
/** The public keys that the project shows, and how often they were fetched. */
let published: object[];
let fetches: number;
let fetchedAt: number;
/** What the Auth server responds. */
let status: number;

// A project with asymmetric keys, like hosted projects. Its public keys are fetched over HTTP.
beforeAll(async () => {
  ours = await generateKeyPair("ES256", { extractable: true });
  foreign = await generateKeyPair("ES256");
  server = createServer((_request, response) => {
    fetches += 1;
    fetchedAt = performance.now();
    response.statusCode = status;
    response.end(JSON.stringify({ keys: published }));
  });
  jwksUrl = new URL(await listenOnLoopback(server));
});
beforeEach(async () => {
  fetches = 0;
  status = 200;
  published = [await publish(ours.publicKey, "ours")];
  authenticate = createAuthentication({ issuer: ISSUER, jwksUrl, sharedSecret: undefined }).authenticate;
});

afterAll(() => {
  server.close();
});

async function publish(key: CryptoKey, kid: string) {
  return { ...(await exportJWK(key)), kid, alg: "ES256", use: "sig" };
}

/** Waits until the keys may be fetched again. */
const untilNextFetch = () => expect.poll(() => performance.now() - fetchedAt).toBeGreaterThan(1050);

interface TokenOptions {
  key?: CryptoKey | Uint8Array;
  kid?: string;
  alg?: string;
  expires?: number;
}

async function bearer(
  claims: Record<string, unknown>,
  { key, kid = "ours", alg = "ES256", expires = 3600 }: TokenOptions = {},
) {
  const token = await new SignJWT({ exp: SECONDS() + expires, ...claims })
    .setProtectedHeader({ alg, kid })
    .sign(key ?? ours.privateKey);
  return `Bearer ${token}`;
}

describe("a project with public keys", () => {
  it("accepts its own tokens", async () => {
    expect(await authenticate(await bearer(CLAIMS))).toMatchObject(CLAIMS);
    expect(
      await authenticate((await bearer({ ...CLAIMS, aud: ["other", "authenticated"] })).replace("Bearer", "bearer")),
    ).toHaveProperty("sub");
  });

  it("treats a missing header, a publishable key and the legacy public key as anonymous", async () => {
    expect(await authenticate(undefined)).toEqual({});
    expect(await authenticate("Bearer sb_publishable_abc")).toEqual({});
    expect(await authenticate(await bearer({ role: "anon", iss: "supabase" }))).toEqual({});
  });

  it("rejects a token signed with the key of another project, with and without its key id", async () => {
    await expect(authenticate(await bearer(CLAIMS, { key: foreign.privateKey }))).rejects.toThrow("invalid_token");
    await expect(authenticate(await bearer(CLAIMS, { key: foreign.privateKey, kid: "theirs" }))).rejects.toThrow(
      "invalid_token",
    );
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

  it("treats the legacy public key as anonymous, although it is signed with a secret that the functions do not have", async () => {
    const key = new TextEncoder().encode("the legacy secret of the project, long enough");
    expect(await authenticate(await bearer({ role: "anon", iss: "supabase" }, { key, alg: "HS256" }))).toEqual({});
    await expect(
      authenticate(await bearer({ ...CLAIMS, role: "authenticated" }, { key, alg: "HS256" })),
    ).rejects.toThrow("invalid_token");
    await expect(
      authenticate(await bearer({ role: "service_role", iss: "supabase" }, { key, alg: "HS256" })),
    ).rejects.toThrow("invalid_token");
  });

  it("finds a key that was added since the last fetch, a second after it", async () => {
    await authenticate(await bearer(CLAIMS));
    await untilNextFetch();
    const added = await generateKeyPair("ES256", { extractable: true });
    const token = await bearer(CLAIMS, { key: added.privateKey, kid: "added" });
    published = [...published, await publish(added.publicKey, "added")];
    expect(await authenticate(token)).toMatchObject(CLAIMS);
    expect(fetches).toBe(2);
  });

  it("fetches the keys once for many tokens that name unknown keys, and then rejects such tokens at once for a second", async () => {
    await authenticate(await bearer(CLAIMS));
    await untilNextFetch();
    const tokens = await Promise.all(
      Array.from({ length: 50 }, (_, index) => bearer(CLAIMS, { kid: `unknown ${index}` })),
    );
    const reject = async () =>
      (await Promise.allSettled(tokens.map((token) => authenticate(token)))).map((result) =>
        result.status === "rejected" ? result.reason.code : "accepted",
      );
    expect(new Set(await reject())).toEqual(new Set(["invalid_token"]));
    expect(fetches).toBe(2);
    const begin = performance.now();
    expect(new Set(await reject())).toEqual(new Set(["invalid_token"]));
    expect(performance.now() - begin).toBeLessThan(900);
    expect(fetches).toBe(2);
    expect(await authenticate(await bearer(CLAIMS))).toMatchObject(CLAIMS);
  });

  it("asks an Auth server that fails no more often", async () => {
    status = 500;
    const token = await bearer(CLAIMS);
    for (let times = 0; times < 5; times++) await expect(authenticate(token)).rejects.toThrow("auth_unavailable");
    expect(fetches).toBe(1);
    status = 200;
    await untilNextFetch();
    expect(await authenticate(token)).toMatchObject(CLAIMS);
  });

  it("rejects a token without a key id if the project has several keys", async () => {
    published = [...published, await publish(ours.publicKey, "next")];
    const token = await new SignJWT({ ...CLAIMS, exp: SECONDS() + 60 })
      .setProtectedHeader({ alg: "ES256" })
      .sign(ours.privateKey);
    await expect(authenticate(`Bearer ${token}`)).rejects.toThrow("invalid_token");
  });

  it.each([
    ["another issuer", { iss: "https://other.supabase.co/auth/v1" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "elsewhere" }],
    ["no audience", { aud: undefined }],
    ["no account", { sub: undefined }],
    ["an account that is no uuid", { sub: "10001" }],
    ["no role", { role: undefined }],
    ["no end", { exp: undefined }],
  ])("rejects a token with %s", async (_name, claims) => {
    await expect(authenticate(await bearer({ ...CLAIMS, ...claims }))).rejects.toThrow("invalid_token");
  });

  it.each(["service_role", "postgres", "supabase_admin", ""])("rejects the role %j", async (role) => {
    await expect(authenticate(await bearer({ ...CLAIMS, role }))).rejects.toThrow("forbidden");
  });

  it.each(["Bearer", "Bearer ", "Basic abc", "Bearer a b", "Bearer ..", "Bearer sb_secret_abc"])(
    "rejects the header %j",
    async (header) => {
      await expect(authenticate(header)).rejects.toThrow("invalid_token");
    },
  );

  it("does not report an invalid token if the keys cannot be fetched", async () => {
    const unreachable = createAuthentication({
      issuer: ISSUER,
      jwksUrl: new URL("http://127.0.0.1:9/"),
      sharedSecret: undefined,
    });
    await expect(unreachable.authenticate(await bearer(CLAIMS))).rejects.toThrow("auth_unavailable");
  });
});

describe("a project with a shared secret and public keys", () => {
  const secret = "a shared secret of at least thirty-two characters";
  const key = new TextEncoder().encode(secret);
  let withSecret: Authentication["authenticate"];
  beforeEach(() => {
    withSecret = createAuthentication({ issuer: ISSUER, jwksUrl, sharedSecret: secret }).authenticate;
  });

  it("accepts tokens that are signed with either, by their algorithm", async () => {
    expect(await withSecret(await bearer(CLAIMS, { key, alg: "HS256" }))).toMatchObject(CLAIMS);
    expect(fetches).toBe(0);
    expect(await withSecret(await bearer(CLAIMS))).toMatchObject(CLAIMS);
    await expect(withSecret(await bearer(CLAIMS, { key, alg: "HS512" }))).rejects.toThrow("invalid_token");
  });

  it("rejects a token signed with the public key as a shared secret", async () => {
    const publicKey = new TextEncoder().encode(JSON.stringify(await exportJWK(ours.publicKey)));
    await expect(withSecret(await bearer(CLAIMS, { key: publicKey, alg: "HS256" }))).rejects.toThrow("invalid_token");
  });

  it("rejects a legacy public key with another signature", async () => {
    const other = new TextEncoder().encode("another secret of at least thirty-two characters");
    expect(await withSecret(await bearer({ role: "anon", iss: "supabase" }, { key, alg: "HS256" }))).toEqual({});
    await expect(
      withSecret(await bearer({ role: "anon", iss: "supabase" }, { key: other, alg: "HS256" })),
    ).rejects.toThrow("invalid_token");
  });
});

describe("a token that was verified", () => {
  let verify: MockInstance<typeof crypto.subtle.verify>;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    // The keys are fetched.
    await authenticate(await bearer(CLAIMS));
    verify = vi.spyOn(crypto.subtle, "verify");
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  /** How many tokens were verified. */
  const verifications = () => verify.mock.calls.length;
  const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
  /**
   * The project withdraws its key and shows another one, which the functions fetch for the first token signed with it.
   */
  const replaceKey = async () => {
    const next = await generateKeyPair("ES256", { extractable: true });
    published = [await publish(next.publicKey, "next")];
    return bearer(CLAIMS, { key: next.privateKey, kid: "next" });
  };

  it("is not verified again for a minute, and then is", async () => {
    const token = await bearer(CLAIMS);
    await authenticate(token);
    pass(59);
    expect(await authenticate(token)).toMatchObject(CLAIMS);
    expect(verifications()).toBe(1);
    pass(1);
    expect(await authenticate(token)).toMatchObject(CLAIMS);
    expect(verifications()).toBe(2);
  });

  // Guarantee access/tokens-of-removed-keys
  it("is verified again as soon as it has expired, and rejected when the clocks cannot differ by that", async () => {
    const token = await bearer(CLAIMS, { expires: 10 });
    await authenticate(token);
    pass(9);
    await authenticate(token);
    expect(verifications()).toBe(1);
    pass(2);
    expect(await authenticate(token)).toMatchObject(CLAIMS);
    expect(verifications()).toBe(2);
    pass(30);
    await expect(authenticate(token)).rejects.toThrow("token_expired");
  });

  it("lends nothing to a token with the same claims and another signature, nor to one with other claims and its signature", async () => {
    const [token, other] = [await bearer(CLAIMS), await bearer({ ...CLAIMS, role: "store_admin" })];
    await authenticate(token);
    const signature = token.split(".")[2]!;
    await expect(authenticate(token.replace(signature, other.split(".")[2]!))).rejects.toThrow("invalid_token");
    await expect(authenticate([...other.split(".").slice(0, 2), signature].join("."))).rejects.toThrow("invalid_token");
  });

  it("is rejected as soon as the keys were fetched without that of its signature", async () => {
    const token = await bearer(CLAIMS);
    await authenticate(token);
    const next = await replaceKey();
    pass(2);
    expect(await authenticate(next)).toMatchObject(CLAIMS);
    await expect(authenticate(token)).rejects.toThrow("invalid_token");
  });

  // Guarantee access/tokens-of-removed-keys: A key that the project has removed admits nobody after ten minutes or a
  // new fetch of the keys. An earlier verification prolongs no token
  // By: short memories of tokens and keys (decision 0082), functions/_shared/access/verified_tokens.ts,
  // functions/_shared/access/authentication.ts
  it("is rejected ten minutes after its key was withdrawn, although no other token makes the functions fetch the keys", async () => {
    const token = await bearer(CLAIMS);
    await authenticate(token);
    await replaceKey();
    for (let seconds = 0; seconds < 600; seconds += 59) {
      await authenticate(token).catch(() => undefined);
      pass(Math.min(59, 600 - seconds));
    }
    await expect(authenticate(token)).rejects.toThrow("invalid_token");
  });

  it("is not known if its key was withdrawn while it was verified", async () => {
    const token = await bearer(CLAIMS);
    const next = await replaceKey();
    pass(2);
    let end = () => {};
    verify.mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => (end = resolve));
      return true;
    });
    const slow = authenticate(token);
    await vi.waitFor(() => expect(verifications()).toBe(1));
    await authenticate(next);
    end();
    expect(await slow).toMatchObject(CLAIMS);
    await expect(authenticate(token)).rejects.toThrow("invalid_token");
  });

  it("is known to functions with the same secret only", async () => {
    const [one, other] = ["one", "other"].map((name) => {
      const sharedSecret = `${name} secret of at least thirty-two characters`;
      return {
        key: new TextEncoder().encode(sharedSecret),
        ...createAuthentication({ issuer: ISSUER, jwksUrl, sharedSecret }),
      };
    });
    const token = await bearer(CLAIMS, { key: one!.key, alg: "HS256" });
    expect(await one!.authenticate(token)).toMatchObject(CLAIMS);
    await expect(other!.authenticate(token)).rejects.toThrow("invalid_token");
  });

  it("is one that was accepted: a rejected one is verified each time", async () => {
    const tokens = [
      await bearer(CLAIMS, { key: foreign.privateKey }),
      await bearer({ ...CLAIMS, iss: "https://other.supabase.co/auth/v1" }),
    ];
    for (const token of [...tokens, ...tokens]) await expect(authenticate(token)).rejects.toThrow("invalid_token");
    expect(verifications()).toBe(4);
  });

  it("is verified by each of several requests that come before it is known, and a forged one among them is rejected", async () => {
    const [token, forged] = [await bearer(CLAIMS), await bearer(CLAIMS, { key: foreign.privateKey })];
    const results = await Promise.allSettled([token, forged, token, token, forged].map((each) => authenticate(each)));
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
      "rejected",
    ]);
    expect(await authenticate(token)).toMatchObject(CLAIMS);
    expect(verifications()).toBe(5);
  });

  it("is one of the last 1,000, and not a very long one, so that the memory is bounded", async () => {
    const secret = "a shared secret of at least thirty-two characters";
    const known = createAuthentication({ issuer: ISSUER, jwksUrl, sharedSecret: secret });
    const sign = (more: object) =>
      bearer({ ...CLAIMS, ...more }, { key: new TextEncoder().encode(secret), alg: "HS256" });
    const tokens = await Promise.all(Array.from({ length: 1001 }, (_, session_id) => sign({ session_id })));
    for (const token of tokens) await known.authenticate(token);
    await known.authenticate(tokens[1]);
    expect(verifications()).toBe(1001);
    await known.authenticate(tokens[0]);
    expect(verifications()).toBe(1002);
    const long = await sign({ user_metadata: { nickname: "x".repeat(4000) } });
    await known.authenticate(long);
    await known.authenticate(long);
    expect(verifications()).toBe(1004);
  });
});

describe("the settings of the tokens", () => {
  const settings = (more: Record<string, string>) =>
    readSettings(
      new Map(
        Object.entries({
          STORE_DB_URL: "postgresql://127.0.0.1/postgres",
          SUPABASE_URL: "https://project.supabase.co",
          ...more,
        }),
      ),
    );

  it("expect tokens of the project, or of STORE_JWT_ISSUER", () => {
    expect(settings({}).jwtIssuer).toBe(ISSUER);
    expect(settings({ STORE_JWT_ISSUER: "https://auth.example.com/auth/v1" }).jwtIssuer).toBe(
      "https://auth.example.com/auth/v1",
    );
  });

  it("reject a shared secret of less than 32 bytes", () => {
    expect(() => settings({ STORE_JWT_SECRET: "x".repeat(31) })).toThrow(
      "STORE_JWT_SECRET must have at least 32 bytes",
    );
    expect(settings({ STORE_JWT_SECRET: "x".repeat(32) }).jwtSecret).toBe("x".repeat(32));
    expect(settings({ STORE_JWT_SECRET: "" }).jwtSecret).toBeUndefined();
  });
});
