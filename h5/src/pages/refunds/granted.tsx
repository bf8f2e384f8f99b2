import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";

/** What was asked for and what was granted of it, if only a part was. */
export function Granted({ refund, lines }: { refund: Api["Refund"]; lines: Api["OrderLine"][] }) {
  const { t } = useTranslation("refunds");
  if (refund.state !== "partly_refunded") return null;
  const units = refund.lines.filter(({ concession }) => Number(concession) === 0);
  if (refund.lines.every(({ quantity, concession }) => quantity === 0 && Number(concession) === 0))
    return <span className="weak">{t("elsewhere")}</span>;
  return units.map(({ line_id, asked, quantity }) => (
    <span key={line_id} className="weak">
      {lines.find(({ id }) => id === line_id)?.title} · {t("askedFor", { asked: asked ?? 0, granted: quantity })}
    </span>
  ));
}
