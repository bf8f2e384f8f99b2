import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { isRefundedElsewhere } from "../../../../shared/refunds.ts";
import { formatMoney } from "../../components/figures.tsx";

/**
 * What a refund or a request is for, a line each: the units, or the amount paid back while the goods are kept. A
 * request granted in part also says how many units were asked for. The freight comes last.
 */
export function RefundedLines({ refund }: { refund: Api["Refund"] }) {
  const { t } = useTranslation("refunds");
  const { state, lines, freight } = refund;
  const isElsewhere = isRefundedElsewhere(refund);
  const textOf = ({ title, quantity, asked, concession }: Api["RefundedLine"]) => {
    if (Number(concession) > 0) return t("kept", { title, amount: formatMoney(concession) });
    if (isElsewhere) return `${title} × ${asked}`;
    return state === "partly_refunded" && asked !== null
      ? `${title} · ${t("askedFor", { asked, granted: quantity })}`
      : `${title} × ${quantity}`;
  };
  return (
    <>
      {lines.map((line) => (
        <span key={line.line_id} className="weak">
          {textOf(line)}
        </span>
      ))}
      {isElsewhere && <span className="weak">{t("elsewhere")}</span>}
      {Number(freight) > 0 && <span className="weak">{t("freight", { amount: formatMoney(freight) })}</span>}
    </>
  );
}
