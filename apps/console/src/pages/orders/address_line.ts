import type { Admin } from "../../../../client/index.ts";

/** Region and street of an address, without its recipient. */
export const addressLine = ({ region, street }: Admin["Address"]): string => [...region, street].join(" ");
