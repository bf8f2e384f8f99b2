import { useTranslation } from "react-i18next";
import { formatNumber, Money } from "../../components/figures.tsx";

/** What points take off a price, and how many they are. */
export function PaidByPoints({ money, points }: { money: string; points: number }) {
  const { t } = useTranslation("orders");
  return (
    <>
      <Money value={`-${money}`} /> <span className="weak">{t("points.count", { points: formatNumber(points) })}</span>
    </>
  );
}
