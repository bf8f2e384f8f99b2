import type { Folder } from "./folder.ts";

export const addresses: Folder = { member: { addresses: "/addresses", new_address: "/addresses/new" } };
