export { type ClonedDatabase, cloneDatabase, connect, rolledBack } from "./database.ts";
export { type EdgeFunction, serveEdgeFunction } from "./edge_function.ts";
export { stack, supabaseClient } from "./stack.ts";
export { lockRelease, lockSchedule, putOffOthersRelease } from "./schedule_lock.ts";
export { seed } from "./seed.ts";
export { skipFor } from "./skip.ts";
export { isTriedIn, longFormOnly, testSize } from "./size.ts";
