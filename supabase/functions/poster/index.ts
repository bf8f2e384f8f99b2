import "../_shared/node_globals.ts";

export { default } from "../../../functions/poster/index.ts";
