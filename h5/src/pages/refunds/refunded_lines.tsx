import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../components/figures.tsx";

/** The goods of a refund or a request: units, of a request that was granted in part beside those asked for, or what was paid back while they are kept; and the freight. */
export function RefundedLines({ refund: { state, lines, freight } }: { refund: Api["Refund"] }) {
  const { t } = useTranslation("refunds");
  const isElsewhere = state === "partly_refunded" && lines.every(({ quantity, concession }) => quantity === 0 && Number(concession) === 0);
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
