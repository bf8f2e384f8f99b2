import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { Session, SessionState } from "./session.ts";

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  return useContext(SessionContext)!;
}

/** Rendered anew whenever somebody signs in or out, or the session ends. */
export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** Whether a member is signed in, also while their session waits to be renewed. */
export function useIsMember(): boolean {
  return useSessionState().kind !== "signed_out";
}
