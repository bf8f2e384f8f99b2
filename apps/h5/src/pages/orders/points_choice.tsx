import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { TextField } from "../../components/field.tsx";
import { formatMoney, formatNumber } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";

interface PointsChoiceProps {
  offer: Api["PointsOffer"];
  /** The points to use, as typed; undefined to use none. */
  typed: string | undefined;
  onChange: (typed: string | undefined) => void;
}

/** The points in a text field: none if it is empty or no number. */
export const pointsOf = (typed: string | undefined) =>
  typed !== undefined && /^\d{1,14}(\.\d{0,4})?$/.test(typed) ? Number(typed) : 0;

/** Pays part of an order by points, or says why they cannot be used. The store computes what they pay. */
export function PointsChoice({ offer: { available, usable, pays, reason }, typed, onChange }: PointsChoiceProps) {
  const { t } = useTranslation("orders");
  if (reason === "off") return null;
  return (
    <Section title={t("points.title")}>
      {reason ? (
        <p className="weak">{t(`points.reason.${reason}`, { available: formatNumber(available) })}</p>
      ) : (
        <>
          <Checkbox checked={typed !== undefined} onChange={(isUsed) => onChange(isUsed ? String(usable) : undefined)}>
            {t("points.use", { points: formatNumber(usable), money: formatMoney(pays) })}
          </Checkbox>
          {typed !== undefined && (
            <TextField
              label={t("points.amount")}
              inputMode="decimal"
              maxLength={19}
              hint={t("points.hint", { available: formatNumber(available) })}
              value={typed}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </>
      )}
    </Section>
  );
}
