import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../functions/_shared/figures.ts";
import { named } from "../../lists.ts";
import { definePage, factsOf } from "../../page.ts";
import { api, ask } from "../../store/store.ts";
import { timeText } from "../../texts/dates.ts";
import { fill, texts } from "../../texts/texts.ts";

const t = texts.bill;

/** A row of the bill: what for, the amounts, how they came about, and when. */
function rowOf({ id, type, source, brokerage, available_points, frozen_points, order_id, add_time }: Api["BillRow"]) {
  const points = [
    available_points !== 0 && `${formatNumber(available_points, "+")} ${t.available}`,
    frozen_points !== 0 && `${formatNumber(frozen_points, "+")} ${t.frozen}`,
  ];
  return {
    id,
    title: t.type[type],
    amount: brokerage === "0.00" ? "" : formatMoney(brokerage, "+"),
    text: [t.source[source], ...points].filter(Boolean).join(" · "),
    note: [timeText(add_time), order_id !== null && fill(t.order, { id: order_id })].filter(Boolean).join(" · "),
    url: "",
  };
}

/** Commission and points: the balances, and every change. */
definePage({
  title: t.title,
  texts: ["bill"],
  data: { facts: [] as ReturnType<typeof factsOf> },

  async load() {
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
    const query = { limit: 30, ...(cursor !== undefined && { cursor }) };
    return named(await ask(() => api.GET("/api/bill", { params: { query } })), rowOf);
  },
});
