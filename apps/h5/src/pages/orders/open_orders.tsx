import { CreditCard, type LucideIcon, Package, RotateCcw, Truck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { classes } from "../../components/classes.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { useApi } from "../../store/store.ts";
import styles from "./open_orders.module.css";

const entries = [
  ["unpaid", "unpaid", CreditCard],
  ["paid", "paid", Package],
  ["delivered", "delivered", Truck],
  ["after_sales", "refund_requested", RotateCcw],
] as const satisfies readonly (readonly [string, string, LucideIcon])[];

/** The member's orders by what they wait for, with their numbers. */
export function OpenOrders() {
  const { t } = useTranslation("orders");
  const { data } = useApi("/api/order/count");
  return (
    <nav className={classes(layout.card, styles.entries)} aria-label={t("title")}>
      {entries.map(([filter, count, Icon]) => (
        <Link key={filter} to={`/orders?state=${filter}`} className={styles.entry}>
          <span className={styles.icon}>
            <Icon size={24} strokeWidth={1.75} aria-hidden />
            {data !== undefined && data[count] > 0 && (
              <span className={styles.count}>{data[count] > 99 ? "99+" : data[count]}</span>
            )}
          </span>
          {t(`filters.${filter}`)}
        </Link>
      ))}
    </nav>
  );
}
