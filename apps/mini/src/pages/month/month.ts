import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { monthsOf } from "../../lists.ts";
import { definePage, factsOf, type Tap } from "../../page.ts";
import { api, ask } from "../../store/store.ts";
import { businessDayText } from "../../texts/dates.ts";
import { fill, texts } from "../../texts/texts.ts";

const t = texts.prospects.month;
type Month = Api["MonthEarnings"];

const pointsText = (points: number) => fill(texts.prospects.points, { points: formatNumber(points) });

/**
 * A value for each day as bars, of which the highest has the full height. What refunds have taken back is negative, in
 * a colour of its own.
 */
function barsOf(days: { day: string; value: number }[]) {
  const most = Math.max(...days.map(({ value }) => Math.abs(value)));
  return days.map(({ day, value }) => ({
    day,
    isTaken: value < 0,
    height: most > 0 ? (Math.abs(value) / most) * 100 : 0,
  }));
}

const chartsOf = ({ commission, points, days }: Month) => [
  {
    name: t.commission,
    total: formatMoney(commission),
    label: fill(t.commissionByDay, { amount: formatMoney(commission) }),
    bars: barsOf(days.map((each) => ({ day: each.day, value: Number(each.commission) }))),
  },
  {
    name: t.points,
    total: formatNumber(points),
    label: fill(t.pointsByDay, { points: formatNumber(points) }),
    bars: barsOf(days.map((each) => ({ day: each.day, value: each.points }))),
  },
];

/** What orders earned the member on each day of a month. */
definePage(
  {
    title: t.title,
    texts: ["prospects"],
    data: {
      months: [] as string[],
      /** Empty before the store has named the present one. */
      month: "",
      charts: [] as ReturnType<typeof chartsOf>,
      first: "",
      last: "",
      /** The days on which something was earned. */
      facts: [] as ReturnType<typeof factsOf>,
    },

    async load() {
      const { month } = this.data;
      const shown = await ask(() =>
        api.GET("/api/prospects/month", { params: { query: month === "" ? {} : { month } } }),
      );
      const earned = shown.days.filter(({ commission, points }) => commission !== "0.00" || points !== 0);
      return {
        months: monthsOf(shown),
        month: shown.month,
        charts: chartsOf(shown),
        first: businessDayText(shown.days[0]!.day),
        last: businessDayText(shown.days.at(-1)!.day),
        facts: factsOf(
          earned.map(({ day, commission, points }) => [
            businessDayText(day),
            `${formatMoney(commission)} · ${pointsText(points)}`,
          ]),
        ),
      };
    },
  },
  {
    choose({ currentTarget: { dataset } }: Tap<{ month: string }>) {
      this.setData({ month: dataset.month });
      return this.refresh();
    },
  },
);
