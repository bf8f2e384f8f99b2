import { formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, factsOf } from "../../page.ts";
import { forecastOf, noForecast } from "../../store/forecast.ts";
import { api, ask } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";

const t = texts.release;

/** The points of the member, and what will be released of them. */
definePage({
  title: t.title,
  texts: ["release"],
  data: { available: "", facts: [] as ReturnType<typeof factsOf>, forecast: noForecast },

  async load() {
    const [assets, forecast] = await Promise.all([
      ask(() => api.GET("/api/hjf/assets/overview")),
      ask(() => api.GET("/api/hjf/points/forecast")),
    ]);
    return {
      available: formatNumber(assets.available_points),
      facts: factsOf([
        [t.frozen, formatNumber(assets.frozen_points)],
        [t.today, formatNumber(assets.today_release, "+")],
        [t.earned, formatNumber(assets.total_points_earned)],
      ]),
      forecast: forecastOf(forecast),
    };
  },
});
