import { createAsyncStoragePersister } from "@tanstack/query-async-storage-persister";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { PersistQueryClientProvider, removeOldestQuery } from "@tanstack/react-query-persist-client";
import { type ReactNode, useSyncExternalStore } from "react";
import { useSessionState } from "../session/session_context.ts";

/** How long the last data of a page are kept on the phone, in milliseconds. */
export const keptFor = 7 * 24 * 3600 * 1000;

const persister = createAsyncStoragePersister({ storage: localStorage, key: "store-h5-data", retry: removeOldestQuery });

/** What this version of the app has kept of this account. Another version may read responses of another form. */
const build = new URL(import.meta.url).pathname;

/**
 * Keeps what the store has answered on the phone, so that pages show their last data without a connection. A sign-out empties the cache of
 * responses, and with it what is kept.
 */
export function KeptData({ queries, children }: { queries: QueryClient; children: ReactNode }) {
  const session = useSessionState();
  const account = session.kind === "signed_out" ? "" : session.account.id;
  return (
    <PersistQueryClientProvider
      client={queries}
      persistOptions={{
        persister,
        maxAge: keptFor,
        buster: `${build} ${account}`,
        dehydrateOptions: { shouldDehydrateQuery: ({ state }) => state.status === "success" && !(state.data instanceof Blob) },
      }}
    >
      {children}
    </PersistQueryClientProvider>
  );
}

/** When the oldest data were read that the page itself shows, in milliseconds since 1970; undefined if it shows none. */
export function useTimeOfData(): number | undefined {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => {
      const times = cache
        .findAll({ type: "active", predicate: ({ queryKey }) => queryKey[0] !== "/api/system/metadata" })
        .map(({ state }) => state.dataUpdatedAt)
        .filter((time) => time > 0);
      return times.length > 0 ? Math.min(...times) : undefined;
    },
  );
}
