import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { type Api, unwrap } from "../../../../client/index.ts";
import { orderFilters, orderQuery } from "../../../../shared/order_filters.ts";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useNumberedList } from "../../components/endless_list.tsx";
import { Price } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { Pictured } from "../../components/pictured.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Time } from "../../components/time.tsx";
import { useStore } from "../../store/store.ts";
import { ProductTitle } from "../products/product_title.tsx";
import { OrderActions } from "./order_actions.tsx";
import { LeftToShip, OrderState } from "./order_state.tsx";
import styles from "./orders_page.module.css";
import { PaymentDeadline } from "./payment_deadline.tsx";

type Order = Api["Order"];

function OrderCard({ order }: { order: Order }) {
  const { t } = useTranslation("orders");
  const units = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <li className={classes(layout.card, styles.card)}>
      <Link to={`/orders/${order.id}`} className={styles.link}>
        <span className={layout.cardHead}>
          <Time value={order.add_time} />
          <OrderState order={order} />
        </span>
        <span className={styles.titles}>
          {order.lines.map(({ id, title, quantity, image }) => (
            <Pictured key={id} image={image}>
              <span className={styles.title}>
                <ProductTitle title={title} /> <span className={classes("weak", styles.units)}>× {quantity}</span>
              </span>
            </Pictured>
          ))}
        </span>
        <LeftToShip order={order} />
        {order.expires_at && <PaymentDeadline expiresAt={order.expires_at} />}
        <span className={styles.sum}>
          <span className="weak">{t("unitsInOrder", { count: units })}</span> <Price value={order.pay_price} />
        </span>
      </Link>
      <OrderActions order={order} isListed />
    </li>
  );
}

export function Component() {
  const { t } = useTranslation(["orders", "common"]);
  const [parameters, setParameters] = useSearchParams();
  const chosen = orderFilters.find((filter) => filter === parameters.get("state")) ?? "all";
  const api = useStore();
  const orders = useNumberedList(["orders", chosen], (next) =>
    unwrap(api.GET("/api/order", { params: { query: { ...next, limit: 20, ...orderQuery(chosen) } } })),
  );
  return (
    <Page title={t("title")}>
      <Choices
        label={t("filter")}
        values={orderFilters}
        value={chosen}
        nameOf={(filter) => t(`filters.${filter}`)}
        onChange={(filter) => setParameters(filter === "all" ? {} : { state: filter }, { replace: true })}
      />
      <Refreshable>
        <div className={layout.tabbed}>
          <EndlessList
            of={orders}
            label={t("title")}
            className={layout.stack}
            idOf={({ id }) => id}
            row={(order) => <OrderCard order={order} />}
            empty={
              <Empty
                text={t(chosen === "all" ? "empty" : "emptyState")}
                action={{ to: "/", label: t("common:tabs.products") }}
              />
            }
          />
        </div>
      </Refreshable>
    </Page>
  );
}
