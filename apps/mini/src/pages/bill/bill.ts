import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { billTypeWords } from "../../../../../functions/_shared/words/bill_type_words.ts";
import { codesOf } from "../../../../../functions/_shared/words/words.ts";
import { named } from "../../lists.ts";
import { definePage, factsOf, type Tap } from "../../page.ts";
import { movementText } from "../../store/bill.ts";
import { api, ask } from "../../store/store.ts";
import { timeText } from "../../texts/dates.ts";
import { fill, texts } from "../../texts/texts.ts";

const t = texts.bill;

type Filter = Api["BillRow"]["type"] | "all";
const filters: readonly Filter[] = ["all", ...codesOf(billTypeWords)];
/** The filter before the address was read. */
const unread = (): Filter | "" => "";

/** A row of the bill: what for, the amounts, how they came about, and when. */
const rowOf = (row: Api["BillRow"]) => ({
  id: row.id,
  ...movementText(row),
  note: [timeText(row.add_time), row.order_id !== null && fill(t.order, { id: row.order_id })]
    .filter(Boolean)
    .join(" · "),
  url: "",
});

/**
 * Commission and points: the balances, and every change. The address can name a type, and the times of a statement,
 * which has the balances itself.
 */
definePage(
  {
    title: t.title,
    texts: ["bill"],
    data: {
      filters: filters.map((id) => ({ id, name: t.filters[id] })),
      filter: unread(),
      facts: [] as ReturnType<typeof factsOf>,
    },

    async load() {
      if (this.query.from) return {};
      const assets = await ask(() => api.GET("/api/hjf/assets/overview"));
      return {
        facts: factsOf([
          [t.statement.commission, formatMoney(assets.brokerage_price)],
          [t.statement.availablePoints, formatNumber(assets.available_points)],
          [t.statement.frozenPoints, formatNumber(assets.frozen_points)],
          [texts.release.today, formatNumber(assets.today_release)],
          [texts.release.earned, formatNumber(assets.total_points_earned)],
        ]),
      };
    },

    async list(cursor) {
      if (this.data.filter === "") this.setData({ filter: filters.find((each) => each === this.query.type) ?? "all" });
      const { filter } = this.data;
      const { from, to } = this.query;
      const query = {
        limit: 30,
        ...(filter !== "" && filter !== "all" && { type: filter }),
        ...(from && to && { from: decodeURIComponent(from), to: decodeURIComponent(to) }),
        ...(cursor !== undefined && { cursor }),
      };
      return named(await ask(() => api.GET("/api/bill", { params: { query } })), rowOf);
    },
  },
  {
    choose({ currentTarget: { dataset } }: Tap<{ filter: Filter }>) {
      this.setData({ filter: dataset.filter });
      return this.refreshList();
    },
  },
);
