import { canAskForRefund } from "../../../../shared/refunds.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { addToCart } from "../../store/cart.ts";
import { useStore } from "../../store/store.ts";
import { PaySheet } from "../payments/pay_sheet.tsx";

type Order = Api["Order"];

/** Lets the buyer order the same goods again: one product at once, several from the cart. @returns the page */
function orderAgain({ lines }: Order): string {
  const [first, ...others] = lines;
  if (others.length === 0) return `/checkout?product=${first?.product_id}&quantity=${first?.quantity}`;
  for (const { product_id, title, price, quantity } of lines) addToCart({ id: product_id, title, price }, quantity);
  return "/cart";
}

/** The actions that the state of an order allows the buyer. */
export function OrderActions({ order }: { order: Order }) {
  const { t } = useTranslation("orders");
  const navigate = useNavigate();
  const api = useStore();
  const [asked, setAsked] = useState<"cancel" | "receive" | "pay">();
  const path = { id: order.id };
  const cancel = useAction((_: null, key) => api.PUT("/api/order/{id}/cancel", { params: { path }, ...key }));
  const receive = useAction((_: null, key) => api.PUT("/api/order/{id}/receive", { params: { path }, ...key }));
  const close = () => {
    setAsked(undefined);
    cancel.reset();
    receive.reset();
  };
  const buttons = [
    order.shown_state === "unpaid" && (
      <Button key="cancel" block shape="rounded" onClick={() => setAsked("cancel")}>
        {t("cancel.action")}
      </Button>
    ),
    canAskForRefund(order) && (
      <Button key="refund" block shape="rounded" onClick={() => void navigate(`/orders/${order.id}/refund`)}>
        {t("refund")}
      </Button>
    ),
    order.shown_state === "unpaid" && (
      <Button key="pay" block shape="rounded" color="primary" onClick={() => setAsked("pay")}>
        {t("pay")}
      </Button>
    ),
    order.shown_state === "delivered" && (
      <Button key="receive" block shape="rounded" color="primary" onClick={() => setAsked("receive")}>
        {t("receive.action")}
      </Button>
    ),
    ["received", "cancelled", "refunded"].includes(order.shown_state) && (
      <Button key="again" block shape="rounded" color="primary" onClick={() => void navigate(orderAgain(order))}>
        {t("again")}
      </Button>
    ),
  ].filter(Boolean);
  if (buttons.length === 0) return null;
  return (
    <>
      <div className={layout.buttonRow}>{buttons}</div>
      {asked === "cancel" && (
        <ConfirmSheet
          title={t("cancel.title")}
          text={t("cancel.text")}
          action={t("cancel.action")}
          isDanger
          isPending={cancel.isPending}
          error={cancel.error}
          onClose={close}
          onConfirm={() =>
            cancel.mutate(null, {
              onSuccess: () => {
                close();
                notify(t("cancel.done"));
              },
            })
          }
        />
      )}
      {asked === "receive" && (
        <ConfirmSheet
          title={t("receive.title")}
          text={t("receive.text")}
          action={t("receive.action")}
          isPending={receive.isPending}
          error={receive.error}
          onClose={close}
          onConfirm={() =>
            receive.mutate(null, {
              onSuccess: () => {
                close();
                notify(t("receive.done"));
              },
            })
          }
        />
      )}
      {asked === "pay" && <PaySheet order={order} onClose={close} />}
    </>
  );
}
