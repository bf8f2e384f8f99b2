import { useSyncExternalStore } from "react";
import { createSessionHooks } from "../../../shared/session_hooks.ts";
import type { Session } from "./auth.ts";
import type { StepUpReason } from "./step_up.ts";

export const { SessionContext, useSession, useSessionState } = createSessionHooks<Session>();

/** Why the administrator is asked for another proof; undefined if they are not. */
export function useStepUpReason(): StepUpReason | undefined {
  const { stepUp } = useSession();
  return useSyncExternalStore(stepUp.subscribe, () => stepUp.reason);
}

/** The Auth account of the signed-in administrator. */
export function useOwnAccount(): string | undefined {
  const state = useSessionState();
  return state.kind === "signed_in" ? state.account.id : undefined;
}
