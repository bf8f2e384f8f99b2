import { type Context, createContext, useContext, useSyncExternalStore } from "react";

interface Observable {
  state: unknown;
  subscribe: (listener: () => void) => () => void;
}

/** Creates the context of a session and its hooks. */
export function createSessionHooks<Session extends Observable>(): {
  SessionContext: Context<Session | undefined>;
  useSession: () => Session;
  /** Renders again when somebody signs in or out, or the session expires. */
  useSessionState: () => Session["state"];
} {
  const SessionContext = createContext<Session | undefined>(undefined);
  const useSession = () => useContext(SessionContext)!;
  const useSessionState = () => {
    const session = useSession();
    return useSyncExternalStore(session.subscribe, () => session.state);
  };
  return { SessionContext, useSession, useSessionState };
}
