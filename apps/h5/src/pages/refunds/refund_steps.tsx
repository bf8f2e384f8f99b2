import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { refundSteps } from "../../../../shared/refunds.ts";
import { Time } from "../../components/time.tsx";
import styles from "./refund_steps.module.css";

/** How far a refund is: the request, the return of the goods, the answer, and where the money goes. */
export function RefundSteps({ refund }: { refund: Api["Refund"] }) {
  const { t } = useTranslation("refunds");
  return (
    <ol className={styles.steps} aria-label={t("steps.title")}>
      {refundSteps(refund).map(({ name, at }) => (
        <li key={name} className={at === null ? undefined : styles.done}>
          <span className={styles.mark}>{at !== null && <Check size={12} strokeWidth={3} aria-hidden />}</span>
          <span>
            {name === "answered" ? t(`state.${refund.state}`) : t(`steps.${name}`)}
            <small className="weak">{at === null ? t("steps.open") : <Time value={at} />}</small>
          </span>
        </li>
      ))}
    </ol>
  );
}
