import type { AuthError } from "@supabase/auth-js";

/** Why the Auth server did not sign somebody in or change a password. */
export type AuthFailure =
  | "wrong_password"
  | "not_confirmed"
  | "weak_password"
  | "same_password"
  | "link_used"
  | "too_often"
  | "not_reachable";

const failures: Record<string, AuthFailure> = {
  invalid_credentials: "wrong_password",
  email_not_confirmed: "not_confirmed",
  weak_password: "weak_password",
  same_password: "same_password",
  otp_expired: "link_used",
  over_request_rate_limit: "too_often",
  over_email_send_rate_limit: "too_often",
};

/** @param otherwise what a rejection means that has no code of its own here */
export function authFailureOf<Otherwise extends string>(
  { code, status }: Pick<AuthError, "code" | "status">,
  otherwise: Otherwise,
): AuthFailure | Otherwise {
  if (code && failures[code]) return failures[code];
  if (!status || status >= 500) return "not_reachable";
  return status === 429 ? "too_often" : otherwise;
}

/** The least length of a password, as supabase/config.toml sets it. */
export const leastPassword = 10;
