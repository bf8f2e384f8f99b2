import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { copyText } from "../../components/copy_text.ts";
import { Facts } from "../../components/facts.tsx";
import { Money, Points, Price } from "../../components/figures.tsx";
import { useIdOfPage } from "../../components/id_of_page.ts";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useApi } from "../../store/store.tsx";
import { AddressText } from "../addresses/address_text.tsx";
import { OpenPayment } from "../payments/open_payment.tsx";
import { OrderRefunds } from "../refunds/order_refunds.tsx";
import { OrderActions } from "./order_actions.tsx";
import { OrderSteps } from "./order_steps.tsx";
import { PaidByPoints } from "./paid_by_points.tsx";

type Order = Api["Order"];

function Lines({ order }: { order: Order }) {
  const { t } = useTranslation("orders");
  return (
    <Section title={t("lines")}>
      <ul className="lines">
        {order.lines.map(({ id, product_id, title, price, quantity, refunded_quantity }) => (
          <li key={id}>
            <Link to={`/products/${product_id}`} className="product-title">
              {title}
            </Link>
            <span className="line-foot">
              <span className="weak">
                <Money value={price} /> × {quantity}
              </span>
              {refunded_quantity > 0 && <span className="tag">{t("refundedUnits", { count: refunded_quantity })}</span>}
            </span>
          </li>
        ))}
      </ul>
      <Facts
        items={[
          [t("goods"), <Money key="goods" value={order.total_price} />],
          [t("discount"), order.discount !== "0.00" && <Money key="discount" value={order.discount} />],
          [
            t("points.paid"),
            order.points_spent > 0 && <PaidByPoints key="points" money={order.paid_by_points} points={order.points_spent} />,
          ],
          [
            t("points.returned"),
            order.points_left < order.points_spent && <Points key="returned" value={order.points_spent - order.points_left} />,
          ],
          [t("freight"), <Money key="freight" value={order.freight} />],
          [t("total"), <Price key="total" value={order.pay_price} />],
        ]}
      />
    </Section>
  );
}

function Delivery({ order: { address, carrier, tracking_no } }: { order: Order }) {
  const { t } = useTranslation("orders");
  if (!address && !tracking_no) return null;
  return (
    <Section title={t("delivery")}>
      {address && <AddressText address={address} />}
      <Facts
        items={[
          [t("carrier"), carrier],
          [
            t("trackingNo"),
            tracking_no && (
              <span className="copyable">
                {tracking_no}
                <button type="button" className="icon-button" aria-label={t("copyTracking")} onClick={() => void copyText(tracking_no)}>
                  <Copy size={16} aria-hidden />
                </button>
              </span>
            ),
          ],
        ]}
      />
    </Section>
  );
}

export function Component() {
  const { t } = useTranslation("orders");
  const id = useIdOfPage();
  const order = useApi().useQuery("get", "/api/order/{id}", { params: { path: { id } } });
  return (
    <Page title={t("order")} back="/orders" foot={order.data && <OrderActions order={order.data} />}>
      <Refreshable>
        <QueryResult of={order} rows={10}>
          {(shown) => (
            <div className="stack">
              <OrderSteps order={shown} />
              <OpenPayment order={shown} />
              <Delivery order={shown} />
              <Lines order={shown} />
              <OrderRefunds order={shown} />
              <Section title={t("facts")}>
                <Facts
                  items={[
                    [
                      t("orderNo"),
                      <span key="no" className="copyable">
                        {shown.order_no}
                        <button
                          type="button"
                          className="icon-button"
                          aria-label={t("copyNo")}
                          onClick={() => void copyText(shown.order_no)}
                        >
                          <Copy size={16} aria-hidden />
                        </button>
                      </span>,
                    ],
                    [t("placed"), <Time key="placed" value={shown.add_time} />],
                    [t("paid"), shown.paid_at && <Time key="paid" value={shown.paid_at} />],
                    [t("remark"), shown.remark],
                  ]}
                />
              </Section>
            </div>
          )}
        </QueryResult>
      </Refreshable>
    </Page>
  );
}
