import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Reply } from "../client/calls.ts";
import { unwrap, StoreError } from "../client/index.ts";
import { randomText } from "./random_text.ts";

/** The header that makes a write idempotent. */
export interface KeyHeader {
  headers: { "Idempotency-Key": string };
}

/** Whether the response is final. Otherwise, the write may or may not have happened. */
function isDecided(error: unknown): boolean {
  return error instanceof StoreError && error.problem.status < 500 && error.code !== "idempotency_key_in_use";
}

/**
 * A write. Sending the same input again after a lost connection is idempotent: it has the key of the first attempt until the response
 * is final. Afterwards, all data on the page are reloaded.
 * @param send makes the request, with the key's header
 */
export function useAction<Input, Output>(send: (input: Input, key: KeyHeader) => Promise<Reply<Output>>) {
  const queries = useQueryClient();
  const attempt = useRef<{ input: string; key: string; output?: Promise<Output> }>(undefined);

  return useMutation<Output, unknown, Input>({
    // Offline, the write fails at once instead of waiting for a connection.
    networkMode: "always",
    mutationFn: async (input) => {
      const text = JSON.stringify(input ?? null);
      if (attempt.current?.input !== text) attempt.current = { input: text, key: randomText() };
      // A second click waits for the same response.
      attempt.current.output ??= unwrap(send(input, { headers: { "Idempotency-Key": attempt.current.key } }));
      return attempt.current.output;
    },
    onSuccess: () => {
      attempt.current = undefined;
      // Not awaited: the reload may replace the form before it has handled its success.
      void queries.invalidateQueries();
    },
    onError: (error) => {
      if (isDecided(error)) attempt.current = undefined;
      else delete attempt.current?.output;
    },
  });
}
