import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber, formatShare } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, factsOf } from "../../page.ts";
import { forecastOf, noForecast } from "../../store/forecast.ts";
import { levelNames, tasksOf } from "../../store/levels.ts";
import { api, ask } from "../../store/store.ts";
import { fill, texts } from "../../texts/texts.ts";

const t = texts.prospects;

/** What the next order of one unit of a product would pay. */
const productRow = ({
  id,
  title,
  price,
  you_would_earn: { commission, points, reason },
}: Api["Prospects"]["products"][number]) => ({
  id,
  title,
  amount: formatMoney(commission, "+"),
  text: fill(t.points, { points: formatNumber(points) }),
  note: [formatMoney(price), reason === "below_minimum" && t.next.belowMinimum].filter(Boolean).join(" · "),
  url: `/pages/product/product?id=${id}`,
});

/** What the member could earn: the next order, the next level, and the release of points. */
definePage({
  title: t.title,
  texts: ["prospects", "plans", "levels", "release"],
  data: {
    isEligible: true,
    ratio: "",
    products: [] as ReturnType<typeof productRow>[],
    /** The title of the next level; empty at the highest one. */
    nextLevel: "",
    isHeld: false,
    isInReview: false,
    /** The tasks of the next level. */
    facts: [] as ReturnType<typeof factsOf>,
    forecast: noForecast,
  },

  async load() {
    const [{ progress, products, forecast }, { next, is_held }, levels] = await Promise.all([
      ask(() => api.GET("/api/prospects")),
      ask(() => api.GET("/api/agent/level")),
      levelNames(),
    ]);
    return {
      isEligible: progress.eligible,
      ratio: progress.next_ratio === null ? "" : formatShare(progress.next_ratio),
      products: products.map(productRow),
      nextLevel: next
        ? fill(texts.levels.next.to, { level: levels.get(next.agent_level) ?? next.agent_level_name })
        : "",
      isHeld: is_held,
      isInReview: next?.in_review ?? false,
      facts: factsOf(tasksOf(next?.tasks ?? [])),
      forecast: forecastOf(forecast),
    };
  },
});
