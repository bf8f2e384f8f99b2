import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { named } from "../../lists.ts";
import { definePage, factsOf, type Tap } from "../../page.ts";
import { levelNames, tasksOf } from "../../store/levels.ts";
import { countText, personRow } from "../../store/people.ts";
import { api, ask } from "../../store/store.ts";
import { timeText } from "../../texts/dates.ts";
import { fill, texts } from "../../texts/texts.ts";

const t = texts.team;
/** What the list shows: direct members, all members, or orders of the team. */
type View = "direct" | "umbrella" | "teamOrders";
const views: readonly View[] = ["direct", "umbrella", "teamOrders"];

const orderRow = ({ order_id, nickname, base, commission, points, paid_at, is_direct, counts }: Api["TeamOrder"]) => ({
  id: order_id,
  title: nickname,
  amount: formatMoney(commission, "+"),
  text: [`${t.base} ${formatMoney(base)}`, points ? `${t.points} ${formatNumber(points, "+")}` : ""]
    .filter(Boolean)
    .join(" · "),
  note: [timeText(paid_at), is_direct && t.isDirect, !counts && t.notCounted].filter(Boolean).join(" · "),
  url: "",
});

const emptyText = (view: View) => (view === "teamOrders" ? t.noOrders : t.noPeople);

definePage(
  {
    title: t.title,
    texts: ["team"],
    data: {
      views: views.map((id) => ({ id, name: t[id] })),
      view: views[0]!,
      none: emptyText("direct"),
      month: "",
      asOf: "",
      facts: [] as ReturnType<typeof factsOf>,
    },

    async load() {
      const [{ commission, direct, umbrella, as_of, next_level: next }, levels] = await Promise.all([
        ask(() => api.GET("/api/spread/summary")),
        levelNames(),
      ]);
      return {
        month: formatMoney(commission.month),
        asOf: fill(t.asOf, { time: timeText(as_of) }),
        facts: factsOf([
          [t.today, formatMoney(commission.today)],
          [t.total, formatMoney(commission.total)],
          [t.direct, `${formatNumber(direct.members)} · ${countText(t.ordersOf, direct.orders)}`],
          [t.umbrella, `${formatNumber(umbrella.members)} · ${countText(t.ordersOf, umbrella.orders)}`],
          [t.next, next && levels.get(next.agent_level)],
          ...tasksOf(next?.tasks ?? []),
          [texts.levels.title, next?.in_review ? texts.levels.inReview : undefined],
        ]),
      };
    },

    async list(cursor) {
      const { view } = this.data;
      const query = { limit: 20, ...(cursor !== undefined && { cursor }) };
      if (view === "teamOrders")
        return named(await ask(() => api.GET("/api/spread/order", { params: { query } })), orderRow);
      const people = ask(() => api.GET("/api/spread/people", { params: { query: { ...query, depth: view } } }));
      return named(await people, personRow(await levelNames()));
    },

    share() {
      return { title: texts.posters.title, path: "/pages/shop/shop" };
    },
  },
  {
    choose({ currentTarget: { dataset } }: Tap<{ view: View }>) {
      this.setData({ view: dataset.view, none: emptyText(dataset.view) });
      return this.refreshList();
    },
  },
);
