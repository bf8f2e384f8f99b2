import type { AuthError, GoTrueClient } from "@supabase/auth-js";
import { type AuthFailure, authFailureOf } from "../../../shared/auth_failure.ts";

/** A second factor of the signed-in administrator: an authenticator app. */
export interface Factor {
  id: string;
  created_at: string;
}

/** What an authenticator app needs to know of a new factor. */
export interface NewFactor {
  id: string;
  /** The address of a picture. */
  qrCode: string;
  /** The same for people who cannot scan it. */
  secret: string;
}

/** Why the Auth server refused something about second factors. */
export type FactorFailure = AuthFailure | "wrong_code" | "not_offered" | "not_proved";

const failures: Record<string, FactorFailure> = {
  mfa_totp_enroll_not_enabled: "not_offered",
  mfa_totp_verify_not_enabled: "not_offered",
  insufficient_aal: "not_proved",
};

const failureOf = (error: AuthError): FactorFailure =>
  (error.code && failures[error.code]) || authFailureOf(error, "wrong_code");

/**
 * Second factors at the Auth server (`auth.mfa`). Methods that change something return why they failed, or undefined.
 */
export class Factors {
  constructor(private readonly auth: GoTrueClient) {}

  /** Those that work. @throws AuthError */
  async list(): Promise<Factor[]> {
    const { data, error } = await this.auth.mfa.listFactors();
    if (error) throw error;
    return data.totp;
  }

  /** Whether this session has proved a second factor. */
  async areProved(): Promise<boolean> {
    const { data } = await this.auth.mfa.getAuthenticatorAssuranceLevel();
    return data?.currentLevel === "aal2";
  }

  /** Begins a new factor, instead of one that was begun before. @param issuer what the app calls the account */
  async begin(issuer: string): Promise<NewFactor | FactorFailure> {
    const { data: known } = await this.auth.mfa.listFactors();
    for (const { id, status } of known?.all ?? [])
      if (status === "unverified") await this.auth.mfa.unenroll({ factorId: id });
    const { data, error } = await this.auth.mfa.enroll({
      factorType: "totp",
      issuer,
      friendlyName: new Date().toISOString(),
    });
    if (error) return failureOf(error);
    // Auth sends an SVG, whose characters an address does not take as they are.
    const picture = data.totp.qr_code.slice(data.totp.qr_code.indexOf(",") + 1);
    return { id: data.id, qrCode: `data:image/svg+xml;utf-8,${encodeURIComponent(picture)}`, secret: data.totp.secret };
  }

  async verify(factorId: string, code: string): Promise<FactorFailure | undefined> {
    const { error } = await this.auth.mfa.challengeAndVerify({ factorId, code });
    return error ? failureOf(error) : undefined;
  }

  async remove(factorId: string): Promise<FactorFailure | undefined> {
    const { error } = await this.auth.mfa.unenroll({ factorId });
    if (error) return failureOf(error);
    // The token says that the session has proved it, until it is refreshed.
    await this.auth.refreshSession();
    return undefined;
  }
}
