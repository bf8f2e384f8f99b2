import { named } from "../../lists.ts";
import { definePage } from "../../page.ts";
import { levelNames } from "../../store/levels.ts";
import { personRow } from "../../store/people.ts";
import { api, ask } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";

/** The members of the team whom the next order can raise to a level. */
definePage({
  title: texts.prospects.near.title,
  texts: ["prospects"],
  data: {},

  async list(cursor) {
    const query = {
      depth: "umbrella" as const,
      one_order_away: true,
      limit: 20,
      ...(cursor !== undefined && { cursor }),
    };
    const people = ask(() => api.GET("/api/spread/people", { params: { query } }));
    return named(await people, personRow(await levelNames()));
  },
});
