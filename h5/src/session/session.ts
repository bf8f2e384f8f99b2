import type { AuthError, GoTrueClient } from "@supabase/auth-js";
import { type AuthFailure, authFailureOf } from "../../../web/auth_failure.ts";
import { type AuthLink, openAuthLink, siteAddress } from "../../../web/auth_link.ts";
import type { Config } from "../../../web/config.ts";
import { load } from "../../../web/load_page.ts";
import { storageKey, type StoredSession, storedSession } from "./stored_session.ts";

/** Who is signed in. */
export interface Account {
  id: string;
  email: string;
  /** Whether the account belongs to a user of WeChat: it has no address and no password that anyone knows. */
  isOfWechat: boolean;
}

export type SessionState =
  | { kind: "signed_out" }
  | { kind: "signed_in"; account: Account }
  /** The session has ended without a sign-out. Pages stay unchanged until the same account signs in again. */
  | { kind: "expired"; account: Account };

/** Why signing in or up failed, or a password was not changed. */
export type SessionFailure = AuthFailure | "wrong_current" | "account_exists" | "invalid_email" | "sign_up_closed" | "sign_up_failed";

/** The input of the sign-up form. */
export interface NewMember {
  email: string;
  password: string;
  nickname: string;
  referrer: number | undefined;
}

const signUpFailures: Record<string, SessionFailure> = {
  user_already_exists: "account_exists",
  email_exists: "account_exists",
  email_address_invalid: "invalid_email",
  email_address_not_authorized: "invalid_email",
  validation_failed: "invalid_email",
  signup_disabled: "sign_up_closed",
  email_provider_disabled: "sign_up_closed",
};

const failureOf = (error: AuthError, otherwise: SessionFailure): SessionFailure =>
  signUpFailures[error.code ?? ""] ?? authFailureOf(error, otherwise);

/** The addresses that `app.wechat_accounts` gives to accounts. */
const wechatAddress = /^wechat-[0-9a-f-]+@users\.invalid$/;

const accountOf = ({ user: { id, email = "" } }: StoredSession): Account => ({ id, email, isOfWechat: wechatAddress.test(email) });

/** A token that is valid for less than this is refreshed, in seconds. */
const leastValidity = 90;

/**
 * The session of a member. auth-js is loaded only when it is needed: to sign in or up, or to refresh a token. Visitors, and members with a
 * valid token, do not wait for it.
 */
export class Session {
  private readonly listeners = new Set<() => void>();
  private auth: Promise<GoTrueClient> | undefined;
  state: SessionState;

  constructor(private readonly config: Config) {
    const stored = storedSession();
    this.state = stored ? { kind: "signed_in", account: accountOf(stored) } : { kind: "signed_out" };
    // Another window has signed in or out.
    addEventListener("storage", (event) => {
      if (event.key === storageKey) this.follow();
    });
  }

  private follow(): void {
    const stored = storedSession();
    if (stored) this.become({ kind: "signed_in", account: accountOf(stored) });
    else if (this.state.kind === "signed_in") this.become({ kind: "signed_out" });
  }

  private client(): Promise<GoTrueClient> {
    this.auth ??= load(() => import("./auth_client.ts"))()
      .then(({ createAuthClient }) => createAuthClient(this.config, this.expire))
      .catch((error: unknown) => {
        this.auth = undefined;
        throw error;
      });
    return this.auth;
  }

  private become(state: SessionState): void {
    // Pages do not depend on the token, so a refreshed one does not notify them.
    if (state.kind === "signed_in" && this.state.kind === "signed_in" && this.state.account.id === state.account.id) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The access token, refreshed when it is about to expire. */
  accessToken = async (): Promise<string | undefined> => {
    const stored = storedSession();
    if (!stored) return undefined;
    if (stored.expires_at - Date.now() / 1000 > leastValidity) return stored.access_token;
    const { data } = await (await this.client()).getSession();
    return data.session?.access_token;
  };

  private readonly expire = (): void => {
    if (this.state.kind === "signed_in") this.become({ kind: "expired", account: this.state.account });
  };

  /** Called when the store has rejected a request. A token that was replaced since then does not end the session. */
  reject = (authorization: string | null): void => {
    const stored = storedSession();
    if (!stored || authorization === `Bearer ${stored.access_token}`) this.expire();
  };

  /** @returns undefined on success */
  async signIn(email: string, password: string): Promise<SessionFailure | undefined> {
    return this.attempt(async (auth) => {
      const { error } = await auth.signInWithPassword({ email, password });
      if (error) return failureOf(error, "wrong_password");
      this.follow();
      return undefined;
    });
  }

  /** @returns undefined when the member is signed in, or `confirm` if the email address has to be confirmed first */
  async signUp({ email, password, nickname, referrer }: NewMember): Promise<SessionFailure | "confirm" | undefined> {
    return this.attempt(async (auth) => {
      const { data, error } = await auth.signUp({
        email,
        password,
        options: { emailRedirectTo: siteAddress(referrer), data: { nickname, ...(referrer && { spread: referrer }) } },
      });
      if (error) return failureOf(error, "sign_up_failed");
      if (!data.session) return "confirm";
      this.follow();
      return undefined;
    });
  }

  /** Asks for a mail with a link to a new password. @returns undefined also if no account has the address, which nobody should learn here */
  async requestReset(email: string): Promise<SessionFailure | undefined> {
    return this.attempt(async (auth) => {
      const { error } = await auth.resetPasswordForEmail(email, { redirectTo: siteAddress() });
      // Only accounts reach this limit.
      return error && error.code !== "over_email_send_rate_limit" ? failureOf(error, "invalid_email") : undefined;
    });
  }

  /** Signs in with the link of a mail. @returns undefined on success */
  async open(link: AuthLink): Promise<SessionFailure | undefined> {
    return this.attempt(async (auth) => {
      const failure = await openAuthLink(auth, link);
      if (!failure) this.follow();
      return failure;
    });
  }

  /** Sets the password of the member who is signed in. @param current undefined in the session of a link @returns undefined on success */
  async setPassword(password: string, current?: string): Promise<SessionFailure | undefined> {
    return this.attempt(async (auth) => {
      const email = storedSession()?.user.email ?? "";
      // A new session, because Auth asks for one that is younger than a day.
      const signIn = current === undefined ? undefined : await auth.signInWithPassword({ email, password: current });
      if (signIn?.error) return failureOf(signIn.error, "wrong_password");
      const { error } = await auth.updateUser({ password });
      return error ? failureOf(error, "weak_password") : undefined;
    });
  }

  /** Begins a session that the store has created. @throws what the Auth server says */
  async begin({ access_token, refresh_token }: { access_token: string; refresh_token: string }): Promise<void> {
    const { error } = await (await this.client()).setSession({ access_token, refresh_token });
    if (error) throw error;
    this.follow();
  }

  private async attempt<Outcome>(work: (auth: GoTrueClient) => Promise<Outcome>): Promise<Outcome | "not_reachable"> {
    try {
      return await work(await this.client());
    } catch {
      return "not_reachable";
    }
  }

  /** Signs out: in this window at once, whatever the server responds, then on the server and in other windows. */
  async signOut(): Promise<void> {
    const token = storedSession()?.access_token;
    localStorage.removeItem(storageKey);
    this.become({ kind: "signed_out" });
    await this.attempt(async (auth) => {
      if (token) await auth.admin.signOut(token, "local");
      await auth.signOut({ scope: "local" });
    });
  }
}
