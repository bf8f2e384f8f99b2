import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LeftToShip, OrderState } from "./order_state.tsx";
import styles from "./order_steps.module.css";
import { PaymentDeadline } from "./payment_deadline.tsx";

const steps = ["unpaid", "paid", "delivered", "received"] as const;

/** The progress of an order, and what happens next. */
export function OrderSteps({ order }: { order: Api["Order"] }) {
  const { t } = useTranslation("orders");
  const at = steps.findIndex((step) => step === order.shown_state);
  return (
    <section className={layout.card} aria-label={t("progress")}>
      <div className={layout.cardHead}>
        <strong className={styles.state}>{t(`state.${order.shown_state}`)}</strong>
        {order.refund_status !== 0 && order.shown_state !== "refunded" && <OrderState order={order} />}
      </div>
      <p className="weak">
        {t(order.is_expired ? "meaning.expired" : `meaning.${order.shown_state}`)} <LeftToShip order={order} />
      </p>
      {order.expires_at && (
        <p>
          <PaymentDeadline expiresAt={order.expires_at} />
        </p>
      )}
      {at >= 0 && (
        <ol className={styles.steps}>
          {steps.map((step, position) => (
            <li
              key={step}
              className={position <= at ? styles.done : undefined}
              aria-current={position === at ? "step" : undefined}
            >
              <span className={styles.mark}>{position <= at && <Check size={14} strokeWidth={3} aria-hidden />}</span>
              {t(`step.${step}`)}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
