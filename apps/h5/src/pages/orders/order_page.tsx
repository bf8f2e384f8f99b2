import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Copyable } from "../../components/copyable.tsx";
import { Facts } from "../../components/facts.tsx";
import { Money, Points, Price } from "../../components/figures.tsx";
import { useIdOfPage } from "../../components/id_of_page.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Lines } from "../../components/lines.tsx";
import { Page } from "../../components/page.tsx";
import { Pictured } from "../../components/pictured.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useApi } from "../../store/store.ts";
import { AddressText } from "../addresses/address_text.tsx";
import { OpenPayment } from "../payments/open_payment.tsx";
import { ProductTitle } from "../products/product_title.tsx";
import { OrderRefunds } from "../refunds/order_refunds.tsx";
import { canAskForRefund, isAboutRefund } from "../../../../shared/refunds.ts";
import { Contact } from "../system/contact.tsx";
import { OrderActions } from "./order_actions.tsx";
import { OrderSteps } from "./order_steps.tsx";
import { PaidByPoints } from "./paid_by_points.tsx";

type Order = Api["Order"];

function OrderLines({ order }: { order: Order }) {
  const { t } = useTranslation("orders");
  return (
    <Section title={t("lines")}>
      <Lines>
        {order.lines.map(({ id, product_id, title, price, quantity, refunded_quantity, image }) => (
          <li key={id}>
            <Pictured image={image}>
              <ProductTitle to={`/products/${product_id}`} title={title} />
              <span className={layout.apart}>
                <span className="weak">
                  <Money value={price} /> × {quantity}
                </span>
                {refunded_quantity > 0 && <Tag>{t("refundedUnits", { count: refunded_quantity })}</Tag>}
              </span>
            </Pictured>
          </li>
        ))}
      </Lines>
      <Facts
        ruled
        items={[
          [t("goods"), <Money key="goods" value={order.total_price} />],
          [t("discount"), order.discount !== "0.00" && <Money key="discount" value={order.discount} />],
          [
            t("points.paid"),
            order.points_spent > 0 && (
              <PaidByPoints key="points" money={order.paid_by_points} points={order.points_spent} />
            ),
          ],
          [
            t("points.returned"),
            order.points_left < order.points_spent && (
              <Points key="returned" value={order.points_spent - order.points_left} />
            ),
          ],
          [t("freight"), <Money key="freight" value={order.freight} />],
          [t("total"), <Price key="total" value={order.pay_price} />],
        ]}
      />
    </Section>
  );
}

function Delivery({ order: { address, parcels } }: { order: Order }) {
  const { t, i18n } = useTranslation("orders");
  if (!address && parcels.length === 0) return null;
  return (
    <Section title={t("delivery")}>
      {address && <AddressText address={address} />}
      {parcels.map(({ id, carrier, carrier_name, carrier_name_zh, tracking_no, tracking_url }, place) => (
        <Facts
          key={id}
          ruled={address !== null || place > 0}
          items={[
            [t("carrier"), (i18n.language === "zh" ? carrier_name_zh : carrier_name) ?? carrier],
            [t("trackingNo"), tracking_no && <Copyable key="number" text={tracking_no} label={t("copyTracking")} />],
            [
              t("track"),
              tracking_url && (
                <a key="track" href={tracking_url} target="_blank" rel="noreferrer">
                  {t("trackAtCarrier")}
                </a>
              ),
            ],
          ]}
        />
      ))}
    </Section>
  );
}

export function Component() {
  const { t } = useTranslation("orders");
  const id = useIdOfPage();
  const order = useApi("/api/order/{id}", { params: { path: { id } } });
  return (
    <Page title={t("order")} back="/orders" foot={order.data && <OrderActions order={order.data} />}>
      <Refreshable>
        <QueryResult of={order} rows={10}>
          {(shown) => (
            <div className={layout.stack}>
              {isAboutRefund(shown) && <OrderRefunds order={shown} />}
              <OrderSteps order={shown} />
              <OpenPayment order={shown} />
              <Delivery order={shown} />
              <OrderLines order={shown} />
              {!isAboutRefund(shown) && <OrderRefunds order={shown} />}
              <Section title={t("facts")}>
                <Facts
                  items={[
                    [t("orderNo"), <Copyable key="number" text={shown.order_no} label={t("copyNo")} />],
                    [t("placed"), <Time key="placed" value={shown.add_time} />],
                    [t("paid"), shown.paid_at && <Time key="paid" value={shown.paid_at} />],
                    [
                      t("refundUntil"),
                      shown.refund_request_until && canAskForRefund(shown) && (
                        <Time key="refund" value={shown.refund_request_until} />
                      ),
                    ],
                    [t("remark"), shown.remark],
                  ]}
                />
              </Section>
              <Contact />
            </div>
          )}
        </QueryResult>
      </Refreshable>
    </Page>
  );
}
