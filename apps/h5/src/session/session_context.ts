import { createSessionHooks } from "../../../shared/session_hooks.ts";
import type { Session } from "./session.ts";

export const { SessionContext, useSession, useSessionState } = createSessionHooks<Session>();

/** Whether a member is signed in, also while their session waits to be renewed. */
export function useIsMember(): boolean {
  return useSessionState().kind !== "signed_out";
}
