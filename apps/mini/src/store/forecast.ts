import type { Api } from "../../../client/index.ts";
import { durationText } from "../../../../functions/_shared/words/duration.ts";
import { formatNumber } from "../../../../functions/_shared/words/figures.ts";
import { fill, language, texts } from "../texts/texts.ts";

interface Forecast {
  bars: { days: number; name: string; amount: string; width: number }[];
  /** How long it takes until half is released. */
  half: string;
}

/** Nothing will be released, or it was not read yet. */
export const noForecast: Forecast = { bars: [], half: "" };

/**
 * What will be released of frozen points, as `parts/forecast.wxml` shows it: bars, whose full width is all of them, and
 * when half is released.
 */
export function forecastOf({
  frozen_points,
  half_released_after_days,
  forecast,
}: Api["Prospects"]["forecast"]): Forecast {
  if (frozen_points <= 0) return noForecast;
  const bars = forecast.map(({ days, release_points }) => ({
    days,
    name: fill(texts.release.after, { duration: durationText(days, language) }),
    amount: formatNumber(release_points, "+"),
    width: Math.min((release_points / frozen_points) * 100, 100),
  }));
  return { bars, half: durationText(half_released_after_days, language) };
}
