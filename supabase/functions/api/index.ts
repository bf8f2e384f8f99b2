import "../_shared/node_globals.ts";

export { default } from "../../../functions/api/index.ts";
