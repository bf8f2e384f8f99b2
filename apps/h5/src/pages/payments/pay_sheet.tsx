import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Api, unwrap } from "../../../../client/index.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { Price } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Sheet } from "../../components/sheet.tsx";
import { isInWechat } from "../../session/wechat.ts";
import { usePaymentProvider, useStore, useWechatAppid } from "../../store/store.ts";
import { payInWechat } from "./wechat_bridge.ts";

/** The page of the provider, which leads back to the order. */
function pageOf(address: string, orderId: number): string {
  const back = `${location.origin}${location.pathname}#/orders/${orderId}`;
  return `${address}${address.includes("?") ? "&" : "?"}redirect_url=${encodeURIComponent(back)}`;
}

/** WeChat Pay takes money by its dialog inside WeChat, and by its page everywhere else. */
const methodOf = (provider: string) => (provider === "local" ? "local" : isInWechat ? "jsapi" : "h5");

function PayOnline({ order, provider, onClose }: { order: Api["Order"]; provider: string; onClose: () => void }) {
  const { t } = useTranslation("payments");
  const api = useStore();
  const queries = useQueryClient();
  const appid = useWechatAppid();
  const method = methodOf(provider);
  // A repeated request continues the same attempt, so the payment is made once.
  const pay = useMutation({
    networkMode: "always",
    mutationFn: async () => {
      const { start } = await unwrap(
        api.POST("/api/order/{id}/pay", { params: { path: { id: order.id } }, body: { provider, method } }),
      );
      if (start.kind !== "jsapi") {
        location.assign(pageOf(start.kind === "h5" ? start.h5_url : start.url, order.id));
        return "left";
      }
      const outcome = await payInWechat(start);
      await queries.invalidateQueries();
      if (outcome === "ok") onClose();
      return outcome;
    },
  });
  if (method === "jsapi" && appid === undefined) return <p>{t("inWechat")}</p>;
  return (
    <>
      <p className="weak">{t(method === "jsapi" ? "wechatAsks" : "leaves")}</p>
      <FailureBox error={pay.error} />
      {pay.data === "failed" && (
        <Failure title={t("notOpened.title")}>
          <p>{t("notOpened.advice")}</p>
        </Failure>
      )}
      <Button
        block
        color="primary"
        size="large"
        shape="rounded"
        loading={pay.isPending || pay.data === "left"}
        onClick={() => pay.mutate()}
      >
        {t("online")}
      </Button>
    </>
  );
}

/** Pays an order: at the provider of this installation, or, if there is none, with instructions for offline payment. */
export function PaySheet({ order, onClose }: { order: Api["Order"]; onClose: () => void }) {
  const { t } = useTranslation("payments");
  const provider = usePaymentProvider();
  return (
    <Sheet title={t("title")} onClose={onClose}>
      <div className={layout.stack}>
        <p className={layout.apart}>
          <span className="weak">{t("amount")}</span>
          <Price value={order.pay_price} size="large" />
        </p>
        {provider !== undefined ? (
          <PayOnline order={order} provider={provider} onClose={onClose} />
        ) : (
          <>
            <p>{t("offline", { number: order.order_no })}</p>
            <Button block color="primary" shape="rounded" onClick={onClose}>
              {t("understood")}
            </Button>
          </>
        )}
      </div>
    </Sheet>
  );
}
