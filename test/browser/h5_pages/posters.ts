import type { Folder } from "./folder.ts";

export const posters: Folder = { member: { poster: "/poster", poster_of_product: "/poster?product=40" } };
