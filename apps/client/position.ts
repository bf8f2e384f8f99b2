/** The header with the position of the store's log: in responses of writes, and in later requests. */
export const STORE_POSITION = "store-position";

/**
 * Outlives a page that loads again, such as one that returns from a payment. Browsers may refuse it, and mini programs
 * have none.
 */
const storage = (): Storage | undefined => {
  try {
    return typeof sessionStorage === "undefined" ? undefined : sessionStorage;
  } catch {
    return undefined;
  }
};

let newest: string | undefined;

/** The newest position of which this client knows. Undefined if it has written nothing, or the store has no standby. */
export function knownPosition(): string | undefined {
  return (newest ??= storage()?.getItem(STORE_POSITION) ?? undefined);
}

/**
 * Keeps the position of a response, unless a newer one is known: responses arrive in any order. Newer positions are
 * greater as text.
 */
export function keepPosition(position: string | null): void {
  if (position === null || position <= (knownPosition() ?? "")) return;
  newest = position;
  try {
    storage()?.setItem(STORE_POSITION, position);
  } catch {
    // The storage is full. The position is known until the page is closed.
  }
}
