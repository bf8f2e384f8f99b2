import { useMutation } from "@tanstack/react-query";
import { Button } from "antd-mobile";
import { useTranslation } from "react-i18next";
import { type Api, answerOf } from "../../../../client/index.ts";
import { FailureBox } from "../../components/failure_box.tsx";
import { Price } from "../../components/figures.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { usePaymentProvider, useStore } from "../../store/store.tsx";

/** Whether this is the browser of WeChat, which does not open payment pages for other browsers. */
const isInWechat = /MicroMessenger/i.test(navigator.userAgent);

/** The page of the provider, which leads back to the order. */
function pageOf(start: Api["StartedPayment"]["start"], orderId: number): string {
  const address = start.kind === "h5" ? start.h5_url : start.kind === "local" ? start.url : undefined;
  if (address === undefined) throw new Error(`The app has no use for a payment of kind ${start.kind}.`);
  const back = `${location.origin}${location.pathname}#/orders/${orderId}`;
  return `${address}${address.includes("?") ? "&" : "?"}redirect_url=${encodeURIComponent(back)}`;
}

function PayOnline({ order, provider }: { order: Api["Order"]; provider: string }) {
  const { t } = useTranslation("payments");
  const api = useStore();
  // A repeated request continues the same attempt, so the payment is made once.
  const pay = useMutation({
    networkMode: "always",
    mutationFn: () => answerOf(api.POST("/api/order/{id}/pay", { params: { path: { id: order.id } }, body: { provider, method: provider === "local" ? "local" : "h5" } })),
    onSuccess: ({ start }) => location.assign(pageOf(start, order.id)),
  });
  if (isInWechat && provider === "wechat") return <p>{t("inWechat")}</p>;
  return (
    <>
      <p className="weak">{t("leaves")}</p>
      <FailureBox error={pay.error} />
      <Button block color="primary" size="large" shape="rounded" loading={pay.isPending || pay.isSuccess} onClick={() => pay.mutate()}>{t("online")}</Button>
    </>
  );
}

/** Pays an order: at the provider of this installation, or, if there is none, with instructions for offline payment. */
export function PaySheet({ order, onClose }: { order: Api["Order"]; onClose: () => void }) {
  const { t } = useTranslation("payments");
  const provider = usePaymentProvider();
  return (
    <Sheet title={t("title")} onClose={onClose}>
      <div className="stack">
        <p className="line-foot"><span className="weak">{t("amount")}</span><Price value={order.pay_price} large /></p>
        {provider !== undefined ? <PayOnline order={order} provider={provider} /> : (
          <>
            <p>{t("offline", { number: order.order_no })}</p>
            <Button block color="primary" shape="rounded" onClick={onClose}>{t("understood")}</Button>
          </>
        )}
      </div>
    </Sheet>
  );
}
