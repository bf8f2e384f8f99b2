import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { AmountRow, RowDetails } from "../../components/amount_row.tsx";
import { formatNumber, formatShare, Money, Points } from "../../components/figures.tsx";
import { Time } from "../../components/time.tsx";

type Row = Api["BillRow"];

/** How an amount was computed. */
function Basis({ row: { type, source, basis, rate } }: { row: Row }) {
  const { t } = useTranslation("bill");
  if (basis === null || rate === null) return t(`source.${source}`);
  const factor = (source === "cycle" && rate <= 1) || source === "release" ? formatShare(rate) : formatNumber(rate);
  const due = `${formatNumber(basis)} × ${factor}`;
  // A reversal takes back what exceeds the amount that the rest of the order pays, which these figures give.
  return `${t(`source.${source}`)} · ${type.endsWith("_reversal") ? t("dueAfterRefund", { due }) : due}`;
}

/** One row of the bill: what for, the amounts, how they were computed, and when. */
export function BillRow({ row }: { row: Row }) {
  const { t } = useTranslation("bill");
  const changes = [
    row.brokerage !== "0.00" && <Money key="money" value={row.brokerage} signed />,
    row.available_points !== 0 && (
      <span key="available">
        <Points value={row.available_points} signed /> <small>{t("available")}</small>
      </span>
    ),
    row.frozen_points !== 0 && (
      <span key="frozen">
        <Points value={row.frozen_points} signed /> <small>{t("frozen")}</small>
      </span>
    ),
  ];
  return (
    <AmountRow title={t(`type.${row.type}`)} amounts={changes}>
      <span className="weak">
        <Basis row={row} />
      </span>
      <RowDetails>
        <Time value={row.add_time} />
        {row.order_id !== null && <span>{t("order", { id: row.order_id })}</span>}
      </RowDetails>
    </AmountRow>
  );
}
