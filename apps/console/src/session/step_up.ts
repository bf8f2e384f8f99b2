/**
 * Why the store or the Auth server wants another proof: a code of the second factor, or a recent sign-in, which a code
 * is as well.
 */
export type StepUpReason = "second_factor_required" | "recent_sign_in_needed";

/** Whether an error code of the store asks for another proof. */
export const isStepUpReason = (code: unknown): code is StepUpReason =>
  code === "second_factor_required" || code === "recent_sign_in_needed";

/** Asks the administrator for another proof, in one dialog for all requests that wait for it. */
export class StepUp {
  private waiting: ((hasProved: boolean) => void)[] = [];
  private readonly listeners = new Set<() => void>();
  private isDismissed = false;
  /** Why the dialog is open; undefined while it is not. */
  reason: StepUpReason | undefined;

  /**
   * Opens the dialog and waits until it is closed. @param isRead somebody who has dismissed the dialog is not asked
   * again, until they write or sign in
   * @returns whether the proof was given
   */
  ask(reason: StepUpReason, { isRead = false } = {}): Promise<boolean> {
    if (isRead && this.isDismissed && this.reason === undefined) return Promise.resolve(false);
    this.become(reason);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Called when a session begins: who dismissed the dialog before is asked again. */
  begin(): void {
    this.isDismissed = false;
  }

  close(hasProved: boolean): void {
    const { waiting } = this;
    this.waiting = [];
    this.isDismissed = !hasProved;
    this.become(undefined);
    for (const resolve of waiting) resolve(hasProved);
  }

  private become(reason: StepUpReason | undefined): void {
    this.reason = reason;
    for (const listener of this.listeners) listener();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
