import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { codeAt } from "../../scripts/auth/totp.ts";
import { stack } from "../support/index.ts";

// What the store expects of the second factors of Supabase Auth. CI also runs this file on the Auth server of
// `supabase start`.
const options = { auth: { persistSession: false, autoRefreshToken: false } };

/** A client of Auth in which a new account is signed in. */
async function newAccount() {
  const { supabase_url, publishable_key, secret_key } = stack();
  const credentials = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const created = await createClient(supabase_url, secret_key, options).auth.admin.createUser({
    ...credentials,
    email_confirm: true,
  });
  expect(created.error).toBeNull();
  const signIn = async () => {
    const { auth } = createClient(supabase_url, publishable_key, options);
    expect((await auth.signInWithPassword(credentials)).error).toBeNull();
    return auth;
  };
  return { ...credentials, signIn, auth: await signIn() };
}

type Auth = Awaited<ReturnType<typeof newAccount>>["auth"];

async function enrol(auth: Auth, friendlyName = "phone") {
  const { data, error } = await auth.mfa.enroll({ factorType: "totp", issuer: "Store", friendlyName });
  expect(error).toBeNull();
  return { id: data!.id, ...data!.totp };
}

const code = (secret: string) => codeAt(secret, Date.now());
/** A code that is not valid now. */
const wrong = (secret: string) => {
  const valid = [-60_000, -30_000, 0, 30_000, 60_000].map((skew) => codeAt(secret, Date.now() + skew));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((each) => !valid.includes(each))!;
};
const claims = async (auth: Auth) => {
  const { aal, amr } = decodeJwt((await auth.getSession()).data.session!.access_token) as {
    aal?: string;
    amr?: { method: string }[];
  };
  return { aal, methods: amr?.map(({ method }) => method) };
};

describe("the second factor of Auth", () => {
  it("is a code of an app that proves the session, which stays proved when it is refreshed", async () => {
    const { auth, signIn } = await newAccount();
    expect(await claims(auth)).toEqual({ aal: "aal1", methods: ["password"] });
    const factor = await enrol(auth);
    expect(factor.uri).toContain(`secret=${factor.secret}`);
    expect(factor.qr_code).toMatch(/^data:image\/svg\+xml/);
    expect((await auth.mfa.listFactors()).data).toMatchObject({
      totp: [],
      all: [{ id: factor.id, status: "unverified" }],
    });

    const verified = await auth.mfa.challengeAndVerify({ factorId: factor.id, code: code(factor.secret) });
    expect(verified.error).toBeNull();
    expect(verified.data!.user.factors).toMatchObject([{ id: factor.id, status: "verified", factor_type: "totp" }]);
    expect((await claims(auth)).aal).toBe("aal2");
    expect((await claims(auth)).methods!.toSorted()).toEqual(["password", "totp"]);
    expect((await auth.refreshSession()).error).toBeNull();
    expect((await claims(auth)).aal).toBe("aal2");

    const again = await signIn();
    expect((await again.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal1",
      nextLevel: "aal2",
    });
  });

  it("ends the sessions that have not proved it", async () => {
    const { auth, signIn } = await newAccount();
    const other = await signIn();
    const factor = await enrol(auth);
    await auth.mfa.challengeAndVerify({ factorId: factor.id, code: code(factor.secret) });
    expect((await other.refreshSession()).error).not.toBeNull();
  });

  it("is refused with a wrong code, another challenge, a challenge that was used, and that of somebody else", async () => {
    const [mine, theirs] = await Promise.all([newAccount(), newAccount()]);
    const factor = await enrol(mine.auth);
    const challenge = (await mine.auth.mfa.challenge({ factorId: factor.id })).data!;
    const verify = (auth: Auth, challengeId: string, given: string) =>
      auth.mfa.verify({ factorId: factor.id, challengeId, code: given });
    expect((await verify(mine.auth, challenge.id, wrong(factor.secret))).error).toMatchObject({
      status: 422,
      code: "mfa_verification_failed",
    });
    expect((await verify(mine.auth, challenge.id, "")).error).toMatchObject({ status: 400, code: "validation_failed" });
    expect((await verify(mine.auth, randomUUID(), code(factor.secret))).error).toMatchObject({
      status: 422,
      code: "mfa_factor_not_found",
    });
    expect((await verify(theirs.auth, challenge.id, code(factor.secret))).error).toMatchObject({
      status: 404,
      code: "mfa_factor_not_found",
    });
    expect((await claims(mine.auth)).aal).toBe("aal1");
    // A wrong code does not use the challenge up; a right one does.
    expect((await verify(mine.auth, challenge.id, code(factor.secret))).error).toBeNull();
    expect((await verify(mine.auth, challenge.id, code(factor.secret))).error).toMatchObject({
      status: 422,
      code: "mfa_ip_address_mismatch",
    });
  });

  it("needs itself for another one, for its removal, and for another password", async () => {
    const { auth, signIn } = await newAccount();
    const factor = await enrol(auth);
    expect((await auth.mfa.enroll({ factorType: "totp", friendlyName: "phone" })).error).toMatchObject({
      status: 422,
      code: "mfa_factor_name_conflict",
    });
    await auth.mfa.challengeAndVerify({ factorId: factor.id, code: code(factor.secret) });

    const again = await signIn();
    expect((await again.mfa.enroll({ factorType: "totp", friendlyName: "other" })).error).toMatchObject({
      status: 403,
      code: "insufficient_aal",
    });
    expect((await again.mfa.unenroll({ factorId: factor.id })).error).toMatchObject({
      status: 422,
      code: "insufficient_aal",
    });
    expect((await again.updateUser({ password: randomUUID() })).error).toMatchObject({
      status: 401,
      code: "insufficient_aal",
    });

    await again.mfa.challengeAndVerify({ factorId: factor.id, code: code(factor.secret) });
    const second = await enrol(again, "tablet");
    expect((await again.mfa.challengeAndVerify({ factorId: second.id, code: code(second.secret) })).error).toBeNull();
    expect((await again.updateUser({ password: randomUUID() })).error).toBeNull();
    expect((await again.mfa.unenroll({ factorId: factor.id })).error).toBeNull();
    expect((await again.mfa.unenroll({ factorId: second.id })).error).toBeNull();
    expect((await again.refreshSession()).error).toBeNull();
    expect((await claims(again)).aal).toBe("aal1");
  });

  it("is not offered for phones, nor of an unknown type, nor without a session", async () => {
    const { auth } = await newAccount();
    const { supabase_url, publishable_key } = stack();
    const post = async (body: object, token?: string) => {
      const reply = await fetch(`${supabase_url}/auth/v1/factors`, {
        method: "POST",
        headers: {
          apikey: publishable_key,
          "content-type": "application/json",
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      return { status: reply.status, ...((await reply.json()) as { error_code?: string }) };
    };
    const token = (await auth.getSession()).data.session!.access_token;
    expect(await post({ factor_type: "phone", phone: "+8613800000000" }, token)).toMatchObject({
      status: 422,
      error_code: "mfa_phone_enroll_not_enabled",
    });
    expect(await post({ factor_type: "letter" }, token)).toMatchObject({
      status: 400,
      error_code: "validation_failed",
    });
    expect(await post({ factor_type: "totp" }, `${token.slice(0, -6)}aaaaaa`)).toMatchObject({
      status: 403,
      error_code: "bad_jwt",
    });
    expect([401, 403]).toContain((await post({ factor_type: "totp" })).status);
  });
});
