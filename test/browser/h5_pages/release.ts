import type { Folder } from "./folder.ts";

export const release: Folder = { member: { points: "/points" } };
