import type { Folder } from "./folder.ts";

export const plans: Folder = { member: { cycle: "/cycle" } };
