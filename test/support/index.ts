export { type ClonedDatabase, cloneDatabase, connect } from "./database.ts";
export { stack, supabaseClient } from "./stack.ts";
