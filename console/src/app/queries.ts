import { QueryClient } from "@tanstack/react-query";
import { failureOf } from "../store/failure.ts";

const mostRetries = 2;

/**
 * How answers are kept: fresh for ten seconds, read again when the window is looked at or the connection is back, asked for again
 * when it may help. Offline, too, a page says that it could not be read, rather than wait without a word.
 */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (failures, error) => failures < mostRetries && navigator.onLine && failureOf(error).passing,
      },
    },
  });
}
