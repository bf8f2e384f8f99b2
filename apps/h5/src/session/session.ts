import type { AuthError, GoTrueClient } from "@supabase/auth-js";
import { type AuthFailure, authFailureOf } from "../../../shared/auth_failure.ts";
import { type AuthLink, openAuthLink, siteAddress } from "../../../shared/auth_link.ts";
import type { Config } from "../../../shared/config.ts";
import { load } from "../../../shared/load_page.ts";
import { type SessionState, SiteSession, type StoredSession } from "../../../shared/site_session.ts";

/** Who is signed in. */
export interface Account {
  id: string;
  email: string;
  /** With the country code in front, of an account that signs in by it alone; empty for others. */
  phone: string;
  /** Whether the account belongs to a user of WeChat: it has no address and no password that anyone knows. */
  isOfWechat: boolean;
}

/** Why signing in or up failed, or a password was not changed. */
export type SessionFailure =
  | AuthFailure
  | "wrong_current"
  | "account_exists"
  | "invalid_email"
  | "sign_up_closed"
  | "sign_up_failed"
  | "wrong_code"
  | "invalid_phone"
  | "code_not_sent";

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

const accountOf = ({ user: { id, email = "", phone = "" } }: StoredSession): Account => ({
  id,
  email,
  phone: email === "" ? phone : "",
  isOfWechat: wechatAddress.test(email),
});

/** A token that is valid for less than this is refreshed, in seconds. */
const leastValidity = 90;

/**
 * The session of a member. auth-js is loaded only when it is needed: to sign in or up, or to refresh a token. Visitors,
 * and members with a valid token, do not wait for it.
 */
export class Session extends SiteSession<Account> {
  private auth: Promise<GoTrueClient> | undefined;
  state: SessionState<Account>;

  constructor(private readonly config: Config) {
    super("store-h5-session");
    const stored = this.stored();
    this.state = stored ? { kind: "signed_in", account: accountOf(stored) } : { kind: "signed_out" };
    // Another window has signed in or out.
    addEventListener("storage", (event) => {
      if (event.key === this.storageKey) this.follow();
    });
  }

  private follow(): void {
    const stored = this.stored();
    if (stored) this.become({ kind: "signed_in", account: accountOf(stored) });
    else if (this.state.kind === "signed_in") this.become({ kind: "signed_out" });
  }

  private client(): Promise<GoTrueClient> {
    this.auth ??= load(() => import("../../../shared/auth_client.ts"))()
      .then(({ createAuthClient }) => {
        const auth = createAuthClient(this.config, this.storageKey);
        auth.onAuthStateChange((event) => {
          if (event === "SIGNED_OUT") this.expire();
        });
        return auth;
      })
      .catch((error: unknown) => {
        this.auth = undefined;
        throw error;
      });
    return this.auth;
  }

  /** The access token, refreshed when it is about to expire. */
  accessToken = async (): Promise<string | undefined> => {
    const stored = this.stored();
    if (!stored) return undefined;
    if (stored.expires_at - Date.now() / 1000 > leastValidity) return stored.access_token;
    const { data } = await (await this.client()).getSession();
    return data.session?.access_token;
  };

  /** @returns undefined on success */
  async signIn(email: string, password: string): Promise<SessionFailure | undefined> {
    return this.ask(async (auth) => {
      const { error } = await auth.signInWithPassword({ email, password });
      if (error) return failureOf(error, "wrong_password");
      this.follow();
      return undefined;
    });
  }

  /** @returns undefined when the member is signed in, or `confirm` if the email address has to be confirmed first */
  async signUp({ email, password, nickname, referrer }: NewMember): Promise<SessionFailure | "confirm" | undefined> {
    return this.ask(async (auth) => {
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

  /** Has a code sent to a phone, whether or not it has an account. @returns undefined on success */
  async requestCode(phone: string): Promise<SessionFailure | undefined> {
    return this.ask(async (auth) => {
      const { error } = await auth.signInWithOtp({ phone });
      if (!error) return undefined;
      // The hook that sends the code answers with a status and a sentence, without a code of an error.
      if (error.code === "phone_provider_disabled") return "sign_up_closed";
      return error.status === 429
        ? "too_often"
        : (error.status ?? 0) >= 500 || error.code?.startsWith("hook_")
          ? "code_not_sent"
          : error.status
            ? "invalid_phone"
            : "not_reachable";
    });
  }

  /** Signs in, or up, with a code that was sent to a phone. @returns undefined on success */
  async signInWithCode(phone: string, token: string): Promise<SessionFailure | undefined> {
    return this.ask(async (auth) => {
      const { error } = await auth.verifyOtp({ phone, token, type: "sms" });
      if (error) return error.code === "otp_expired" ? "wrong_code" : authFailureOf(error, "wrong_code");
      this.follow();
      return undefined;
    });
  }

  /** Signs in with the link of a mail. @returns undefined on success */
  async open(link: AuthLink): Promise<SessionFailure | undefined> {
    return this.ask(async (auth) => {
      const failure = await openAuthLink(auth, link);
      if (!failure) this.follow();
      return failure;
    });
  }

  /**
   * Sets the password of the member who is signed in.
   * @param current undefined in the session of a link
   * @returns undefined on success
   */
  async setPassword(password: string, current?: string): Promise<SessionFailure | undefined> {
    return this.ask(async (auth) => {
      const email = this.stored()?.user.email ?? "";
      // A new session, because Auth asks for one that is younger than a day.
      const signIn = current === undefined ? undefined : await auth.signInWithPassword({ email, password: current });
      if (signIn?.error) {
        const failure = failureOf(signIn.error, "wrong_password");
        return failure === "wrong_password" ? "wrong_current" : failure;
      }
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

  protected async ask<Outcome>(question: (auth: GoTrueClient) => Promise<Outcome>): Promise<Outcome | "not_reachable"> {
    try {
      return await question(await this.client());
    } catch {
      return "not_reachable";
    }
  }
}
