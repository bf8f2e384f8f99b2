import "../_shared/node_globals.ts";

export { default } from "../../../functions/picture/index.ts";
