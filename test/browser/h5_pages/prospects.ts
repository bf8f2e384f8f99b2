import type { Folder } from "./folder.ts";

export const prospects: Folder = { member: { prospects: "/prospects" } };
