import { CircleCheck, Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useIdOfPage } from "../../components/id_of_page.ts";
import { LinkButton } from "../../components/link_button.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Price } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { useApi } from "../../store/store.ts";
import { OpenPayment } from "./open_payment.tsx";
import styles from "./paid_page.module.css";

/** What became of a payment: paid, and what happens next; or not yet, and where to go on. */
export function Component() {
  const { t } = useTranslation(["payments", "orders", "common"]);
  const id = useIdOfPage();
  const order = useApi("/api/order/{id}", { params: { path: { id } } });
  const isPaid = order.data?.paid_at != null;
  const stateOf = ({ paid_at, state, shown_state }: Api["Order"]) => {
    if (paid_at !== null) return t("result.paid");
    return state === "unpaid" ? t("result.notPaid") : t(`orders:state.${shown_state}`);
  };
  return (
    <Page title={t(isPaid ? "result.paid" : "result.title")} back={`/orders/${id}`}>
      <QueryResult of={order} rows={6}>
        {(shown) => (
          <div className={layout.stack}>
            <section className={styles.result} role="status" aria-label={t("result.title")}>
              {isPaid ? (
                <CircleCheck size={56} strokeWidth={1.5} className={styles.paid} aria-hidden />
              ) : (
                <Clock size={56} strokeWidth={1.5} className={styles.open} aria-hidden />
              )}
              <strong>{stateOf(shown)}</strong>
              <Price value={shown.pay_price} size="large" />
              <p className="weak">
                {shown.state === "unpaid"
                  ? t("result.notPaidHint")
                  : t(shown.is_expired ? "orders:meaning.expired" : `orders:meaning.${shown.shown_state}`)}
              </p>
            </section>
            <OpenPayment order={shown} />
            <div className={layout.buttonRow}>
              <LinkButton look="plain" to="/">
                {t("result.goOn")}
              </LinkButton>
              <LinkButton to={`/orders/${id}`}>{t("result.toOrder")}</LinkButton>
            </div>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}
