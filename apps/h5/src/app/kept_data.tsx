import {
  dehydrate,
  type DehydratedState,
  hydrate,
  type QueryClient,
  QueryClientProvider,
  useQueryClient,
} from "@tanstack/react-query";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { useSessionState } from "../session/session_context.ts";

/** How long the last data of a page are kept on the phone, in milliseconds. */
export const keptFor = 7 * 24 * 3600 * 1000;

/** How long changes are collected before they are written, in milliseconds. */
const pause = 1000;

const storageKey = "store-h5-data";

/** Another version of the app may read responses of another form. */
const build = new URL(import.meta.url).pathname;

/** What is kept: for whom, since when, and the responses. */
interface Kept {
  owner: string;
  at: number;
  responses: DehydratedState;
}

const ownerOf = (account: string) => `${build} ${account}`;

function restore(queries: QueryClient, account: string): void {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? "null") as Kept | null;
    if (kept?.owner !== ownerOf(account) || kept.at < Date.now() - keptFor) return localStorage.removeItem(storageKey);
    hydrate(queries, kept.responses);
    // They are shown until the store has answered.
    void queries.invalidateQueries({ refetchType: "none" });
  } catch {
    localStorage.removeItem(storageKey);
  }
}

function write(queries: QueryClient, account: string): void {
  const responses = dehydrate(queries, {
    shouldDehydrateQuery: ({ state: { status, data } }) => status === "success" && !(data instanceof Blob),
  });
  try {
    localStorage.setItem(
      storageKey,
      JSON.stringify({ owner: ownerOf(account), at: Date.now(), responses } satisfies Kept),
    );
  } catch {
    // There is no room for it.
    localStorage.removeItem(storageKey);
  }
}

/**
 * Keeps what the store has answered on the phone, so that pages show their last data without a connection. What is kept
 * belongs to this version of the app and to the account: no other reads it. A sign-out empties the cache of responses,
 * and with it what is kept.
 */
export function KeptData({ queries, children }: { queries: QueryClient; children: ReactNode }) {
  const session = useSessionState();
  const account = session.kind === "signed_out" ? "" : session.account.id;
  // Before the first page asks the store.
  useState(() => restore(queries, account));
  useEffect(() => {
    // After a sign-out: nothing of the former account stays.
    write(queries, account);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = queries.getQueryCache().subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        write(queries, account);
      }, pause);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [queries, account]);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}

/**
 * When the oldest data were read that the page itself shows, in milliseconds since 1970; undefined if it shows none.
 */
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
