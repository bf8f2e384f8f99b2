import { QueryClient } from "@tanstack/react-query";
import { failureOf } from "./failure.ts";

const mostRetries = 2;

/**
 * The cache of responses: fresh for ten seconds, reloaded when the window receives the focus or the connection is
 * restored, and retried where that may help. Offline, a page shows an error instead of waiting.
 * @param gcTime how long what no page shows is kept, in milliseconds
 */
export function createQueries({ gcTime }: { gcTime?: number } = {}): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        ...(gcTime && { gcTime }),
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (failures, error) => failures < mostRetries && navigator.onLine && failureOf(error).passing,
      },
    },
  });
}
