import type { GoTrueClient } from "@supabase/auth-js";
import { type AuthFailure, authFailureOf } from "./auth_failure.ts";
import { siteAddress } from "./auth_link.ts";

/** The part of a session of auth-js that is read here. */
export interface StoredSession {
  access_token: string;
  /** In seconds. */
  expires_at: number;
  user: { id: string; email?: string; phone?: string };
}

export type SessionState<Account> =
  | { kind: "signed_out" }
  | { kind: "signed_in"; account: Account }
  /** The session has ended without a sign-out. Pages stay unchanged until the same account signs in again. */
  | { kind: "expired"; account: Account };

/** The session of a site. @typeParam Start the state before it is known whether somebody is signed in */
export abstract class SiteSession<Account extends { id: string }, Start extends { kind: "starting" } = never> {
  private readonly listeners = new Set<() => void>();
  abstract state: SessionState<Account> | Start;

  /** @param storageKey where auth-js keeps the session */
  protected constructor(protected readonly storageKey: string) {}

  /** Asks the Auth server. */
  protected abstract ask<Outcome>(
    question: (auth: GoTrueClient) => Promise<Outcome>,
  ): Promise<Outcome | "not_reachable">;

  /** The session that this browser keeps. */
  protected stored(): StoredSession | undefined {
    try {
      const session = JSON.parse(localStorage.getItem(this.storageKey) ?? "null") as Partial<StoredSession> | null;
      return session?.access_token && session.expires_at && session.user?.id ? (session as StoredSession) : undefined;
    } catch {
      return undefined;
    }
  }

  protected become(state: SessionState<Account>): void {
    // Pages do not depend on the token, so a refreshed one does not notify them.
    if (state.kind === "signed_in" && this.state.kind === "signed_in" && this.state.account.id === state.account.id)
      return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Called when the session has ended without a sign-out. */
  protected expire(): void {
    if (this.state.kind === "signed_in") this.become({ kind: "expired", account: this.state.account });
  }

  /** Called when the store has rejected a request. A token that was replaced since then does not end the session. */
  reject = (authorization: string | null): void => {
    const stored = this.stored();
    if (!stored || authorization === `Bearer ${stored.access_token}`) this.expire();
  };

  /**
   * Asks for a mail with a link to a new password.
   * @returns undefined also if no account has the address, which nobody should learn here
   */
  requestReset(email: string): Promise<AuthFailure | "invalid_email" | undefined> {
    return this.ask(async (auth) => {
      const { error } = await auth.resetPasswordForEmail(email, { redirectTo: siteAddress() });
      // Only accounts reach this limit.
      return error && error.code !== "over_email_send_rate_limit" ? authFailureOf(error, "invalid_email") : undefined;
    });
  }

  /** Signs out: in this window at once, whatever the server responds, then on the server and in other windows. */
  async signOut(): Promise<void> {
    const token = this.stored()?.access_token;
    localStorage.removeItem(this.storageKey);
    this.become({ kind: "signed_out" });
    await this.ask(async (auth) => {
      if (token) await auth.admin.signOut(token, "local");
      await auth.signOut({ scope: "local" });
    });
  }
}
