import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../../../../functions/_shared/words/figures.ts";
import { type OrderFilter, orderFilters, orderQuery } from "../../../../shared/order_filters.ts";
import { numbered } from "../../lists.ts";
import { definePage, type Tap } from "../../page.ts";
import { askedOrders, leftToShip, orderState } from "../../store/orders.ts";
import { lineRow } from "../../store/products.ts";
import { api, ask } from "../../store/store.ts";
import { timeText } from "../../texts/dates.ts";
import { counted, texts } from "../../texts/texts.ts";

const t = texts.orders;
const limit = 20;
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
    data: { filters: orderFilters.map((id) => ({ id, name: t.filters[id] })), filter: orderFilters[0]!, none: t.empty },

    load() {
      const { filter } = askedOrders;
      delete askedOrders.filter;
      if (filter && filter !== this.data.filter) {
        this.setData({ filter, none: t.emptyState });
        void this.refreshList();
      }
      return Promise.resolve({});
    },

    async list(next) {
      const { filter } = this.data;
      const page = Number(next ?? 1);
      const query = { page, limit, ...orderQuery(filter) };
      return numbered(await ask(() => api.GET("/api/order", { params: { query } })), page, limit, rowOf);
    },
  },
  {
    choose({ currentTarget: { dataset } }: Tap<{ filter: OrderFilter }>) {
      this.setData({ filter: dataset.filter, none: dataset.filter === "all" ? t.empty : t.emptyState });
      return this.refreshList();
    },
  },
);
