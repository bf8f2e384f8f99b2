import { QueryClient } from "@tanstack/react-query";
import { failureOf } from "../store/failure.ts";

const mostRetries = 2;

/** How answers are kept: fresh for ten seconds, read again when the window is looked at, asked for again when it may help. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < mostRetries && failureOf(error).passing,
      },
    },
  });
}
