import type { Folder } from "./folder.ts";

export const levels: Folder = { member: { levels: "/levels" } };
