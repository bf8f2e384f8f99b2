export { type ClonedDatabase, cloneDatabase, connect, rolledBack } from "../../scripts/testing/clone_database.ts";
export { type EdgeFunction, serveEdgeFunction } from "../../scripts/testing/edge_function.ts";
export { stack, supabaseClient } from "../../scripts/testing/stack.ts";
export { lockRelease, lockSchedule, putOffOthersRelease } from "./schedule_lock.ts";
export { seed } from "../../scripts/testing/seed.ts";
export { skipFor } from "./skip.ts";
export { isTriedIn, longFormOnly, testSize } from "../../scripts/testing/size.ts";
