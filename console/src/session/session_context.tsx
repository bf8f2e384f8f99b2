import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { Session, SessionState } from "./auth.ts";

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  return useContext(SessionContext)!;
}

/** Renders again when someone signs in or out, or when the session expires. */
export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** The Auth account of the signed-in administrator. */
export function useOwnAccount(): string | undefined {
  const state = useSessionState();
  return state.kind === "signed_in" ? state.account.id : undefined;
}
