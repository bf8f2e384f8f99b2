import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../../../../functions/_shared/words/figures.ts";
import { numbered } from "../../lists.ts";
import { definePage, type Tap } from "../../page.ts";
import { leftToShip, orderState } from "../../store/orders.ts";
import { lineRow } from "../../store/products.ts";
import { api, ask } from "../../store/store.ts";
import { timeText } from "../../texts/dates.ts";
import { counted, texts } from "../../texts/texts.ts";

const t = texts.orders;
const limit = 20;
type Filter = Api["Order"]["shown_state"] | "all";
const states: readonly Filter[] = ["all", "unpaid", "paid", "delivered", "received", "cancelled", "refunded"];

const rowOf = (order: Api["Order"]) => ({
  id: order.id,
  state: orderState(order),
  left: leftToShip(order),
  time: timeText(order.add_time),
  lines: order.lines.map((line) => lineRow(line)),
  units: counted(
    t,
    "unitsInOrder",
    order.lines.reduce((sum, { quantity }) => sum + quantity, 0),
  ),
  price: formatMoney(order.pay_price),
});

definePage(
  {
    title: t.title,
    texts: ["orders"],
    data: { filters: states.map((id) => ({ id, name: t.filters[id] })), filter: states[0]!, none: t.empty },

    async list(next) {
      const { filter } = this.data;
      const page = Number(next ?? 1);
      const query = { page, limit, ...(filter !== "all" && { state: filter }) };
      return numbered(await ask(() => api.GET("/api/order", { params: { query } })), page, limit, rowOf);
    },
  },
  {
    choose({ currentTarget: { dataset } }: Tap<{ filter: Filter }>) {
      this.setData({ filter: dataset.filter, none: dataset.filter === "all" ? t.empty : t.emptyState });
      return this.refreshList();
    },
  },
);
