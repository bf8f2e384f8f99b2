import type { Folder } from "./folder.ts";

export const team: Folder = {
  member: { team: "/team", people: "/team/people?depth=umbrella", team_orders: "/team/orders" },
};
