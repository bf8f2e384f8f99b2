import type { Admin } from "../../../client/index.ts";
import { useAdmin } from "./store.ts";

export type WaitingKind = Admin["Waiting"]["list"][number]["kind"];

const lookAgain = 60_000;

/**
 * What waits for the signed-in administrator. Everything that shows it shares one request a minute, which the store
 * answers with 304 while nothing has changed. Returning to the window asks at once.
 */
export function useWaiting() {
  return useAdmin("/adminapi/waiting", {}, { refetchInterval: lookAgain, refetchOnWindowFocus: "always" });
}
