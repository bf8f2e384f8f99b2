import type { Api } from "../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../functions/_shared/words/figures.ts";
import { texts } from "../texts/texts.ts";

const t = texts.bill;

/** What a row of the bill, or several of one kind, are for, and their amounts. */
export function movementText({
  type,
  source,
  brokerage,
  available_points,
  frozen_points,
}: Pick<Api["BillRow"], "type" | "source" | "brokerage" | "available_points" | "frozen_points">) {
  const points = [
    available_points !== 0 && `${formatNumber(available_points, "+")} ${t.available}`,
    frozen_points !== 0 && `${formatNumber(frozen_points, "+")} ${t.frozen}`,
  ];
  return {
    title: t.type[type],
    amount: brokerage === "0.00" ? "" : formatMoney(brokerage, "+"),
    text: [t.source[source], ...points].filter(Boolean).join(" · "),
  };
}
