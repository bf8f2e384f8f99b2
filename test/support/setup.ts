import { afterAll, vi } from "vitest";
import ws from "ws";
import { LONGEST_WAIT_MS } from "./longest_wait.ts";
import { renewApps } from "./wechat/apps.ts";

renewApps();

// Node 20 has no WebSocket, and supabase-js requires one even if Realtime is not used.
globalThis.WebSocket ??= ws as unknown as typeof WebSocket;

// Vitest gives up after a second and cannot be configured, unlike expect.poll.
const { waitFor, waitUntil } = vi;
type Options = Parameters<typeof waitFor>[1];
const patiently = (options: Options) =>
  typeof options === "number" ? options : { timeout: LONGEST_WAIT_MS, ...options };
vi.waitFor = (callback, options) => waitFor(callback, patiently(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patiently(options));

// Vitest removes what a test stubs before the next test only, which is too late for what the next file does in its
// beforeAll.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
