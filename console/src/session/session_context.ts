import { createSessionHooks } from "../../../web/session_hooks.ts";
import type { Session } from "./auth.ts";

export const { SessionContext, useSession, useSessionState } = createSessionHooks<Session>();

/** The Auth account of the signed-in administrator. */
export function useOwnAccount(): string | undefined {
  const state = useSessionState();
  return state.kind === "signed_in" ? state.account.id : undefined;
}
