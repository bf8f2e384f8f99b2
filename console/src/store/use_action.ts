import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { answerOf, StoreError } from "../../../client/index.ts";

/** The header that lets a write be sent again without happening twice. */
export interface KeyHeader {
  headers: { "Idempotency-Key": string };
}

/** Whether the store has said yes or no; otherwise the write may or may not have happened. */
function isDecided(error: unknown): boolean {
  return error instanceof StoreError && error.problem.status < 500 && error.code !== "idempotency_key_in_use";
}

/**
 * A write of the store. Sending the same input again after a lost connection happens once: it carries the key of the
 * first attempt until the store has decided. Afterwards everything on the page is read anew.
 * @param send makes the request, with the key's header
 */
export function useAction<Input, Answer>(send: (input: Input, key: KeyHeader) => Promise<{ data?: Answer; error?: unknown }>) {
  const queries = useQueryClient();
  const attempt = useRef<{ input: string; key: string; answer?: Promise<NonNullable<Answer> | Extract<Answer, null>> }>(undefined);

  return useMutation<NonNullable<Answer> | Extract<Answer, null>, unknown, Input>({
    // Offline, too, people want to hear that it failed rather than wait.
    networkMode: "always",
    mutationFn: async (input) => {
      const text = JSON.stringify(input ?? null);
      if (attempt.current?.input !== text) attempt.current = { input: text, key: crypto.randomUUID() };
      // A double click waits for the same answer.
      attempt.current.answer ??= answerOf(send(input, { headers: { "Idempotency-Key": attempt.current.key } }));
      return attempt.current.answer;
    },
    onSuccess: () => {
      attempt.current = undefined;
      // Not waited for: what is read anew may replace the form that sent this, before it has heard of its success.
      void queries.invalidateQueries();
    },
    onError: (error) => {
      if (isDecided(error)) attempt.current = undefined;
      else delete attempt.current?.answer;
    },
  });
}
