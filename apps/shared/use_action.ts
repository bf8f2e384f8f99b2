import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createAttempts, type KeyHeader } from "../client/attempts.ts";
import type { Reply } from "../client/calls.ts";
import { randomText } from "./random_text.ts";

/**
 * A write, which has the key of its first attempt until the response is final (`apps/client/attempts.ts`). Afterwards,
 * all data on the page are reloaded.
 * @param send makes the request, with the key's header
 */
export function useAction<Input, Output>(send: (input: Input, key: KeyHeader) => Promise<Reply<Output>>) {
  const queries = useQueryClient();
  const [attempt] = useState(() => createAttempts(randomText));

  return useMutation<Output, unknown, Input>({
    // Offline, the write fails at once instead of waiting for a connection.
    networkMode: "always",
    mutationFn: (input) => attempt(input, (key) => send(input, key)),
    onSuccess: () => {
      // Not awaited: the reload may replace the form before it has handled its success.
      void queries.invalidateQueries();
    },
  });
}
