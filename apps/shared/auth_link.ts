import type { EmailOtpType, GoTrueClient } from "@supabase/auth-js";
import { type AuthFailure, authFailureOf } from "./auth_failure.ts";

/** What the link of a mail of the Auth server brings to a site. */
export interface AuthLink {
  /** Whether it leads to a new password. Otherwise, it confirms the address of a sign-up. */
  setsPassword: boolean;
  /**
   * Parameters of the Auth server: of our mails `token_hash`, of its own ones the tokens of a session, or what is wrong
   * with the link.
   */
  parameters: URLSearchParams;
}

/**
 * Takes the link out of the address, so that nothing that signs somebody in stays in the history. Routes of the sites
 * begin with `#/`.
 */
export function takeAuthLink(): AuthLink | undefined {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (!["token_hash", "access_token", "error_code"].some((name) => parameters.has(name))) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return { setsPassword: parameters.get("type") !== "signup", parameters };
}

/** Begins the session of a link, which works once. Called for an action of the reader: mail servers open links, too. */
export async function openAuthLink(auth: GoTrueClient, { parameters }: AuthLink): Promise<AuthFailure | undefined> {
  const [token_hash, access_token, refresh_token] = ["token_hash", "access_token", "refresh_token"].map((name) =>
    parameters.get(name),
  );
  const { error } = token_hash
    ? await auth.verifyOtp({ token_hash, type: parameters.get("type") as EmailOtpType })
    : access_token && refresh_token
      ? await auth.setSession({ access_token, refresh_token })
      : { error: { code: "otp_expired", status: 403 } };
  return error ? authFailureOf(error, "link_used") : undefined;
}

/**
 * The address of this site, to which the links of its mails lead.
 * @param spread the referrer, who is not lost if another device opens the link
 */
export function siteAddress(spread?: number): string {
  return `${location.origin}${location.pathname}${spread === undefined ? "" : `?spread=${spread}`}`;
}
