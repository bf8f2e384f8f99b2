/** Where auth-js keeps the session. */
export const storageKey = "store-h5-session";

/** The part of a session of auth-js that is read here. */
export interface StoredSession {
  access_token: string;
  /** In seconds. */
  expires_at: number;
  user: { id: string; email?: string };
}

/** The session that this browser keeps. */
export function storedSession(): StoredSession | undefined {
  try {
    const session = JSON.parse(localStorage.getItem(storageKey) ?? "null") as Partial<StoredSession> | null;
    return session?.access_token && session.expires_at && session.user?.id ? (session as StoredSession) : undefined;
  } catch {
    return undefined;
  }
}
