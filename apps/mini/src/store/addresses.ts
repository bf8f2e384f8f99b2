import type { Api } from "../../../client/index.ts";

/** An address as it is shown. */
export const addressText = ({ name, phone, region, street }: Api["Address"]) => ({
  name: `${name} ${phone}`,
  text: [...region, street].join(" "),
});
