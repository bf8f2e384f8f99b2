import type { GoTrueClient } from "@supabase/auth-js";
import { createAuthClient } from "../../../shared/auth_client.ts";
import { type AuthFailure, authFailureOf } from "../../../shared/auth_failure.ts";
import { type AuthLink, openAuthLink } from "../../../shared/auth_link.ts";
import type { Config } from "../../../shared/config.ts";
import { type SessionState, SiteSession } from "../../../shared/site_session.ts";
import { type FactorFailure, Factors } from "./factors.ts";
import { StepUp } from "./step_up.ts";

/** The Postgres role in the token of an administrator. */
const administrator = "store_admin";

/** The signed-in administrator. */
export interface Account {
  id: string;
  email: string;
}

/** Why a sign-in failed, or a password was not changed. */
export type SessionFailure = AuthFailure | FactorFailure | "wrong_current" | "invalid_email" | "no_administrator";

/** The session of the console: signs in and out, refreshes the token and notifies listeners. */
export class Session extends SiteSession<Account, { kind: "starting" }> {
  private readonly auth: GoTrueClient;
  readonly factors: Factors;
  readonly stepUp = new StepUp();
  state: SessionState<Account> | { kind: "starting" } = { kind: "starting" };

  constructor(config: Config) {
    super("store-console-session");
    this.auth = createAuthClient(config, this.storageKey);
    this.factors = new Factors(this.auth);
    this.auth.onAuthStateChange((event, session) => {
      const account =
        session?.user.role === administrator ? { id: session.user.id, email: session.user.email ?? "" } : undefined;
      if (account) this.become({ kind: "signed_in", account });
      else if (event === "INITIAL_SESSION") this.become({ kind: "signed_out" });
      else if (event === "SIGNED_OUT") this.expire();
      // The account is no longer an administrator. Deferred, because the callback holds the lock that signing out
      // needs.
      else if (event === "TOKEN_REFRESHED") setTimeout(() => void this.signOut());
    });
  }

  /** The present access token, refreshed when it is about to expire. */
  accessToken = async (): Promise<string | undefined> => (await this.auth.getSession()).data.session?.access_token;

  protected ask<Outcome>(question: (auth: GoTrueClient) => Promise<Outcome>): Promise<Outcome> {
    return question(this.auth);
  }

  /** @returns undefined after success */
  async signIn(email: string, password: string): Promise<SessionFailure | undefined> {
    const { data, error } = await this.auth.signInWithPassword({ email, password });
    if (error) return authFailureOf(error, "wrong_password");
    const failure = await this.keepAdministrator(data.user.role);
    this.stepUp.begin();
    // Not awaited: the dialog is above the page that opens, and can be left for later.
    if (!failure && data.user.factors?.some(({ status }) => status === "verified"))
      void this.stepUp.ask("second_factor_required");
    return failure;
  }

  override async signOut(): Promise<void> {
    this.stepUp.close(false);
    await super.signOut();
  }

  /** Ends the session of an account that is no administrator. */
  private async keepAdministrator(role: string | undefined): Promise<SessionFailure | undefined> {
    if (role === administrator) return undefined;
    await this.signOut();
    return "no_administrator";
  }

  /** Begins the session of a link. @returns undefined after success */
  open(link: AuthLink): Promise<SessionFailure | undefined> {
    return openAuthLink(this.auth, link);
  }

  /** Sets the password of the session of a link. @returns undefined after success */
  async setPassword(password: string): Promise<SessionFailure | undefined> {
    const { error } = await this.auth.updateUser({ password });
    if (error?.code === "insufficient_aal")
      return (await this.stepUp.ask("second_factor_required")) ? this.setPassword(password) : "not_proved";
    if (error) return authFailureOf(error, "weak_password");
    // The link of an invitation, or the password of its session, makes the account an administrator. The token from
    // before does not say so.
    const { data } = await this.auth.refreshSession();
    return this.keepAdministrator(data.user?.role);
  }

  /** Changes the password of the signed-in administrator. @returns undefined after success */
  async changePassword(email: string, current: string, password: string): Promise<SessionFailure | undefined> {
    // A new session, because Auth asks for one that is younger than a day.
    const { error } = await this.auth.signInWithPassword({ email, password: current });
    if (!error) return this.setPassword(password);
    const failure = authFailureOf(error, "wrong_password");
    return failure === "wrong_password" ? "wrong_current" : failure;
  }
}
