import { GoTrueClient } from "@supabase/auth-js";
import { type AuthFailure, authFailureOf } from "../../../web/auth_failure.ts";
import { type AuthLink, openAuthLink, siteAddress } from "../../../web/auth_link.ts";
import type { Config } from "../../../web/config.ts";

/** The Postgres role in the token of an administrator. */
const administrator = "store_admin";

const storageKey = "store-console-session";

/** The key of the session in the browser's storage. */
function storedToken(): string | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? "null") as { access_token?: string } | null)?.access_token;
  } catch {
    return undefined;
  }
}

/** The signed-in administrator. */
export interface Account {
  id: string;
  email: string;
}

export type SessionState =
  | { kind: "starting" }
  | { kind: "signed_out" }
  | { kind: "signed_in"; account: Account }
  /** The session has expired. Pages stay open until the same account signs in again. */
  | { kind: "expired"; account: Account };

/** Why a sign-in failed, or a password was not changed. */
export type SessionFailure = AuthFailure | "wrong_current" | "invalid_email" | "no_administrator";

/** The session of the console: signs in and out, refreshes the token and notifies listeners. */
export class Session {
  private readonly auth: GoTrueClient;
  private readonly listeners = new Set<() => void>();
  state: SessionState = { kind: "starting" };

  constructor(config: Config) {
    this.auth = new GoTrueClient({
      url: `${config.supabaseUrl}/auth/v1`,
      headers: { apikey: config.publishableKey },
      storageKey,
      detectSessionInUrl: false,
    });
    this.auth.onAuthStateChange((event, session) => {
      const account = session?.user.role === administrator ? { id: session.user.id, email: session.user.email ?? "" } : undefined;
      if (account) this.become({ kind: "signed_in", account });
      else if (event === "INITIAL_SESSION") this.become({ kind: "signed_out" });
      else if (event === "SIGNED_OUT") this.expire();
      // The account is no longer an administrator. Deferred, because the callback holds the lock that signing out needs.
      else if (event === "TOKEN_REFRESHED") setTimeout(() => void this.signOut());
    });
  }

  private become(state: SessionState): void {
    // A refreshed token does not concern pages.
    if (state.kind === "signed_in" && this.state.kind === "signed_in" && this.state.account.id === state.account.id) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The present access token, refreshed when it is about to expire. */
  accessToken = async (): Promise<string | undefined> => (await this.auth.getSession()).data.session?.access_token;

  /** The store rejected the token. */
  expire = (): void => {
    if (this.state.kind === "signed_in") this.become({ kind: "expired", account: this.state.account });
  };

  /** @returns undefined after success */
  async signIn(email: string, password: string): Promise<SessionFailure | undefined> {
    const { data, error } = await this.auth.signInWithPassword({ email, password });
    return error ? authFailureOf(error, "wrong_password") : this.keepAdministrator(data.user.role);
  }

  /** Ends the session of an account that is no administrator. */
  private async keepAdministrator(role: string | undefined): Promise<SessionFailure | undefined> {
    if (role === administrator) return undefined;
    await this.signOut();
    return "no_administrator";
  }

  /** Asks for a mail with a link to a new password. @returns undefined also if no account has the address, which nobody should learn here */
  async requestReset(email: string): Promise<SessionFailure | undefined> {
    const { error } = await this.auth.resetPasswordForEmail(email, { redirectTo: siteAddress() });
    // Only accounts reach this limit.
    return error && error.code !== "over_email_send_rate_limit" ? authFailureOf(error, "invalid_email") : undefined;
  }

  /** Begins the session of a link. @returns undefined after success */
  open(link: AuthLink): Promise<SessionFailure | undefined> {
    return openAuthLink(this.auth, link);
  }

  /** Sets the password of the session of a link. @returns undefined after success */
  async setPassword(password: string): Promise<SessionFailure | undefined> {
    const { data, error } = await this.auth.updateUser({ password });
    return error ? authFailureOf(error, "weak_password") : this.keepAdministrator(data.user.role);
  }

  /** Changes the password of the signed-in administrator. @returns undefined after success */
  async changePassword(email: string, current: string, password: string): Promise<SessionFailure | undefined> {
    // A new session, because Auth asks for one that is younger than a day.
    const { error } = await this.auth.signInWithPassword({ email, password: current });
    if (!error) return this.setPassword(password);
    const failure = authFailureOf(error, "wrong_password");
    return failure === "wrong_password" ? "wrong_current" : failure;
  }

  /** Signs out: at once in this window, even if the server does not respond, then on the server and in other windows. */
  async signOut(): Promise<void> {
    const token = storedToken();
    localStorage.removeItem(storageKey);
    this.become({ kind: "signed_out" });
    if (token) await this.auth.admin.signOut(token, "local");
    await this.auth.signOut({ scope: "local" });
  }
}
