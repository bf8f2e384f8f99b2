import { setTimeout as pause } from "node:timers/promises";
import { writeSharePages } from "../generate/share_pages.ts";
import { h5Site } from "./static_site.ts";

const PAUSE_MS = 60_000;

/**
 * Writes the pages of share links now, and every minute.
 * @param folder in which they are written
 * @returns a function that stops it
 */
export async function startSharePages(folder: string, supabaseUrl: string): Promise<() => Promise<void>> {
  const stop = new AbortController();
  // A function that does not respond is restarted and reported by the stack.
  const write = () =>
    writeSharePages(folder, `${supabaseUrl}${h5Site.path}/`, `${supabaseUrl}/functions/v1`).catch(() => 0);
  await write();
  void (async () => {
    while (!stop.signal.aborted) {
      await pause(PAUSE_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      if (!stop.signal.aborted) await write();
    }
  })();
  return () => {
    stop.abort();
    return Promise.resolve();
  };
}
