import { canAskForRefund } from "../../../../shared/refunds.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { addToCart } from "../../store/cart.ts";
import { useStore } from "../../store/store.ts";
import { PaySheet } from "../payments/pay_sheet.tsx";
import styles from "./order_actions.module.css";

type Order = Api["Order"];

/** Lets the buyer order the same goods again: one product at once, several from the cart. @returns the page */
function orderAgain({ lines }: Order): string {
  const [first, ...others] = lines;
  if (others.length === 0) return `/checkout?product=${first?.product_id}&quantity=${first?.quantity}`;
  for (const { product_id, title, price, quantity } of lines) addToCart({ id: product_id, title, price }, quantity);
  return "/cart";
}

/** What the page of an order does when it is opened: `{ pays: true }` starts the payment of the order just placed. */
export interface OrderPageState {
  pays?: boolean;
}

interface OrderActionsProps {
  order: Order;
  /** Whether the order is one of a list, where its parcels have no room. */
  isListed?: boolean;
}

/** The actions that the state of an order allows the buyer. */
export function OrderActions({ order, isListed = false }: OrderActionsProps) {
  const { t } = useTranslation("orders");
  const navigate = useNavigate();
  const api = useStore();
  const { pays = false } = (useLocation().state ?? {}) as OrderPageState;
  const paysAtOnce = !isListed && pays && order.shown_state === "unpaid";
  const [asked, setAsked] = useState<"cancel" | "receive" | "pay" | undefined>(paysAtOnce ? "pay" : undefined);
  const path = { id: order.id };
  const cancel = useAction((_: null, key) => api.PUT("/api/order/{id}/cancel", { params: { path }, ...key }));
  const receive = useAction((_: null, key) => api.PUT("/api/order/{id}/receive", { params: { path }, ...key }));
  const tracked = order.parcels.find(({ tracking_url }) => tracking_url !== null);
  const look = isListed ? { size: "small" as const } : { block: true };
  const close = () => {
    setAsked(undefined);
    cancel.reset();
    receive.reset();
  };
  const buttons = [
    order.shown_state === "unpaid" && (
      <Button key="cancel" {...look} shape="rounded" onClick={() => setAsked("cancel")}>
        {t("cancel.action")}
      </Button>
    ),
    canAskForRefund(order) && (
      <Button key="refund" {...look} shape="rounded" onClick={() => void navigate(`/orders/${order.id}/refund`)}>
        {t("refund")}
      </Button>
    ),
    order.shown_state === "unpaid" && (
      <Button key="pay" {...look} shape="rounded" color="primary" onClick={() => setAsked("pay")}>
        {t("pay")}
      </Button>
    ),
    isListed && order.shown_state === "delivered" && tracked && (
      <Button
        key="track"
        {...look}
        shape="rounded"
        onClick={() => void open(tracked.tracking_url!, "_blank", "noopener")}
      >
        {t("track")}
      </Button>
    ),
    order.shown_state === "delivered" && (
      <Button key="receive" {...look} shape="rounded" color="primary" onClick={() => setAsked("receive")}>
        {t("receive.action")}
      </Button>
    ),
    ["received", "cancelled", "refunded"].includes(order.shown_state) && (
      <Button key="again" {...look} shape="rounded" color="primary" onClick={() => void navigate(orderAgain(order))}>
        {t("again")}
      </Button>
    ),
  ].filter(Boolean);
  if (buttons.length === 0) return null;
  return (
    <>
      <div className={isListed ? styles.actions : layout.buttonRow}>{buttons}</div>
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
      {asked === "pay" && <PaySheet order={order} startsAtOnce={paysAtOnce} onClose={close} />}
    </>
  );
}
