import { formatBusinessDay } from "../../components/time.tsx";
import styles from "./day_bars.module.css";

interface DayBarsProps {
  /** What the bars show, for screen readers. */
  label: string;
  /** Of each day. What refunds have taken back is negative, in a colour of its own. */
  days: { day: string; value: number }[];
}

/** A value for each day of a month, as bars. */
export function DayBars({ label, days }: DayBarsProps) {
  const most = Math.max(...days.map(({ value }) => Math.abs(value)));
  const kindOf = (value: number) => (value === 0 ? styles.none : value < 0 ? styles.taken : undefined);
  return (
    <div role="img" aria-label={label}>
      <div className={styles.bars}>
        {days.map(({ day, value }) => (
          <span
            key={day}
            className={kindOf(value)}
            style={{ height: most > 0 ? `${(Math.abs(value) / most) * 100}%` : 0 }}
          />
        ))}
      </div>
      <div className={`${styles.ends} weak`}>
        <span>{formatBusinessDay(days[0]!.day)}</span>
        <span>{formatBusinessDay(days.at(-1)!.day)}</span>
      </div>
    </div>
  );
}
