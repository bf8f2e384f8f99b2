import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { mostUnits } from "../../../../client/cart_items.ts";
import { type Api, unwrap } from "../../../../client/index.ts";
import { failureOf } from "../../../../shared/failure.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { classes } from "../../components/classes.ts";
import { Facts } from "../../components/facts.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { TextArea } from "../../components/field.tsx";
import { Money, Price } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Lines } from "../../components/lines.tsx";
import { Page } from "../../components/page.tsx";
import { Picture } from "../../components/picture.tsx";
import { Pictured } from "../../components/pictured.tsx";
import { Quantity } from "../../components/quantity.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useForm } from "../../components/use_form.ts";
import { cartItems, removeFromCart } from "../../store/cart.ts";
import { useApi, useStore } from "../../store/store.ts";
import { AddressPicker } from "../addresses/address_picker.tsx";
import { ProductTitle } from "../products/product_title.tsx";
import styles from "./checkout_page.module.css";
import type { OrderPageState } from "./order_actions.tsx";
import { PaidByPoints } from "./paid_by_points.tsx";
import { PointsChoice, pointsOf } from "./points_choice.tsx";

/** Orders what was chosen in the cart, or one product: quantity, address and price. The store computes every amount. */
export function Component() {
  const { t } = useTranslation("orders");
  const navigate = useNavigate();
  const [parameters, setParameters] = useSearchParams();
  const api = useStore();

  const productId = Number(parameters.get("product"));
  const quantity = Math.min(Math.max(Math.trunc(Number(parameters.get("quantity"))) || 1, 1), mostUnits);
  const isOfCart = parameters.get("from") === "cart";
  // Kept while the page is open, also when the order has taken them out of the cart.
  const [ofCart] = useState(() => (isOfCart ? cartItems().filter(({ is_chosen }) => is_chosen) : []));
  const items = isOfCart
    ? ofCart.map((item) => ({ product_id: item.product_id, quantity: item.quantity }))
    : [{ product_id: productId, quantity }];
  /** Leads on to the payment; a free order is paid already. */
  const showPlaced = ({ id, state }: Api["Order"]) =>
    state === "unpaid"
      ? void navigate(`/orders/${id}`, { replace: true, state: { pays: true } satisfies OrderPageState })
      : void navigate(`/orders/${id}/paid`, { replace: true });
  const place = useAction((body: Api["NewOrder"], key) => api.POST("/api/order", { body, ...key }));
  const form = useForm(
    {
      /** The address that the buyer has chosen. */
      address_id: undefined as number | undefined,
      /** The points to use, as typed; undefined to use none. */
      points: undefined as string | undefined,
      remark: "",
    },
    async ({ remark }): Promise<Api["Order"] | undefined> => {
      if (!priced) return undefined;
      try {
        const order = await place.mutateAsync({
          items,
          expected_price: priced.pay_price,
          use_points,
          ...(address && { address_id: address.id }),
          ...(remark.trim() && { remark: remark.trim() }),
        });
        // Here and not when the order is shown, so that it also happens if the buyer has left the page.
        removeFromCart(ofCart.map(({ product_id }) => product_id));
        return order;
      } catch (error) {
        // The price or the stock has changed: the page shows the current one, which the buyer has to confirm.
        if (failureOf(error).code) void Promise.all([preview.refetch(), isOfCart || product.refetch()]);
        throw error;
      }
    },
    (order) => order && showPlaced(order),
  );
  const { address_id, points } = form.values;
  const use_points = pointsOf(points);
  const product = useApi("/api/product/{id}", { params: { path: { id: productId } } }, { enabled: !isOfCart });
  const preview = useQuery({
    queryKey: ["order preview", items, use_points],
    queryFn: ({ signal }) => unwrap(api.POST("/api/order/preview", { body: { items, use_points }, signal })),
    placeholderData: keepPreviousData,
    enabled: items.length > 0,
  });
  const addresses = useApi("/api/address");
  const address = addresses.data?.find(({ id }) => id === address_id) ?? addresses.data?.[0];
  const priced = preview.isPlaceholderData ? undefined : preview.data;

  if (items.length === 0) return <Navigate to="/cart" replace />;
  return (
    <Page
      title={t("checkout.title")}
      back={isOfCart ? "/cart" : productId ? `/products/${productId}` : "/"}
      foot={
        preview.data && (
          <>
            <div className={layout.grow}>
              <span className="weak">{t("total")}</span> <Price value={preview.data.pay_price} size="large" />
            </div>
            <Button
              color="primary"
              size="large"
              shape="rounded"
              loading={form.isPending}
              disabled={!priced || !address || preview.isError}
              onClick={form.submit}
            >
              {t("checkout.place")}
            </Button>
          </>
        )
      }
    >
      <div className={layout.stack}>
        <FailureBox error={form.error} />
        <QueryResult of={addresses} rows={2}>
          {(list) => (
            <AddressPicker addresses={list} chosen={address} onChoose={(id) => form.change({ address_id: id })} />
          )}
        </QueryResult>
        {isOfCart && (
          <Section title={t("lines")} extra={<Link to="/cart">{t("checkout.toCart")}</Link>}>
            <Lines>
              {(preview.data?.lines ?? ofCart.map((item) => ({ ...item, image: null }))).map(
                ({ product_id, title, price, quantity: units, image }) => (
                  <li key={product_id}>
                    <Pictured image={image}>
                      <ProductTitle title={title} />
                      <span className="weak">
                        <Money value={price} /> × {units}
                      </span>
                    </Pictured>
                  </li>
                ),
              )}
            </Lines>
          </Section>
        )}
        {!isOfCart && (
          <QueryResult of={product} rows={3}>
            {({ title, price, images, stock }) => (
              <section className={classes(layout.card, styles.line)} aria-label={title}>
                <Picture src={images[0]} alt="" />
                <div className={styles.words}>
                  <ProductTitle title={title} />
                  <div className={layout.apart}>
                    <Price value={price} />
                    <Quantity
                      label={t("quantity")}
                      value={quantity}
                      max={Math.max(Math.min(stock ?? mostUnits, mostUnits), 1)}
                      onChange={(next) =>
                        setParameters(
                          { product: String(productId), quantity: String(next) },
                          { replace: true, preventScrollReset: true },
                        )
                      }
                    />
                  </div>
                </div>
              </section>
            )}
          </QueryResult>
        )}
        <QueryResult of={preview} rows={2}>
          {({ total_price, freight, paid_by_points, points_spent, points: offer, pay_price }) => (
            <>
              <PointsChoice offer={offer} typed={points} onChange={(typed) => form.change({ points: typed })} />
              <Section title={t("sum")}>
                <div aria-busy={preview.isPlaceholderData}>
                  <Facts
                    items={[
                      [t("goods"), <Money key="goods" value={total_price} />],
                      [
                        t("points.paid"),
                        points_spent > 0 && <PaidByPoints key="points" money={paid_by_points} points={points_spent} />,
                      ],
                      [t("freight"), <Money key="freight" value={freight} />],
                      [
                        t("total"),
                        <strong key="total">
                          <Money value={pay_price} />
                        </strong>,
                      ],
                    ]}
                  />
                </div>
              </Section>
            </>
          )}
        </QueryResult>
        <div className={layout.card}>
          <TextArea label={t("remark")} maxLength={500} placeholder={t("remarkHint")} {...form.field("remark")} />
        </div>
      </div>
    </Page>
  );
}
