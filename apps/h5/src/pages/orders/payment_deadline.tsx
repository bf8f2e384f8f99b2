import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "../../components/time.tsx";

const second = 1000;
const day = 86_400 * second;

/** A time of less than a day as hours, minutes and seconds: 9:05, 1:00:00. */
function clockOf(left: number): string {
  const seconds = Math.ceil(left / second);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (parts[0] ? parts : parts.slice(1))
    .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0")))
    .join(":");
}

/**
 * How long an order can still be paid, as the store says. The clock of the phone counts down, so one that is wrong
 * shows another time.
 */
export function PaymentDeadline({ expiresAt }: { expiresAt: string }) {
  const { t } = useTranslation("orders");
  const queries = useQueryClient();
  const [now, setNow] = useState(Date.now);
  const left = Date.parse(expiresAt) - now;
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) {
      void queries.invalidateQueries();
      return undefined;
    }
    const timer = setInterval(() => setNow(Date.now()), second);
    return () => clearInterval(timer);
  }, [isOver, queries]);
  if (isOver) return <span role="timer">{t("deadline.over")}</span>;
  return (
    <span role="timer" className="figures">
      {left < day ? t("deadline.left", { time: clockOf(left) }) : t("deadline.until", { time: formatTime(expiresAt) })}
    </span>
  );
}
