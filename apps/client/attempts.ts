import type { Reply } from "./calls.ts";
import { StoreError, unwrap } from "./index.ts";

/** The header that makes a write idempotent, as options of a call. */
export interface KeyHeader {
  headers: { "Idempotency-Key": string };
}

/** Whether the response is final. Otherwise, the write may or may not have happened. */
function isDecided(error: unknown): boolean {
  return error instanceof StoreError && error.problem.status < 500 && error.code !== "idempotency_key_in_use";
}

/**
 * Creates a function for writes. Sending the same input again after a lost connection is idempotent: it has the key of
 * the first attempt until the response is final. While a write is on its way, a second one with the same input waits
 * for the same response.
 * @param newKey returns a key that no other write has
 */
export function createAttempts(newKey: () => string) {
  let attempt: { input: string; key: string; output?: Promise<unknown> } | undefined;
  return async <Output>(input: unknown, send: (key: KeyHeader) => Promise<Reply<Output>>): Promise<Output> => {
    const text = JSON.stringify(input ?? null);
    if (attempt?.input !== text) attempt = { input: text, key: newKey() };
    const mine = attempt;
    mine.output ??= unwrap(send({ headers: { "Idempotency-Key": mine.key } }));
    try {
      const output = await (mine.output as Promise<Output>);
      if (attempt === mine) attempt = undefined;
      return output;
    } catch (error) {
      if (!isDecided(error)) delete mine.output;
      else if (attempt === mine) attempt = undefined;
      throw error;
    }
  };
}
