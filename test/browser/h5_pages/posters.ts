import type { Folder } from "./folder.ts";

export const posters: Folder = { member: { poster: "/poster" } };
