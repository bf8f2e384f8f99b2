import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
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

/** The page that says what became of the payment of an order. */
const resultPage = (orderId: number) => `/orders/${orderId}/paid`;

/** The page of the provider, which leads back to the app. */
function pageOf(address: string, orderId: number): string {
  const back = `${location.origin}${location.pathname}#${resultPage(orderId)}`;
  return `${address}${address.includes("?") ? "&" : "?"}redirect_url=${encodeURIComponent(back)}`;
}

/** WeChat Pay takes money by its dialog inside WeChat, and by its page everywhere else. */
const methodOf = (provider: string) => (provider === "local" ? "local" : isInWechat ? "jsapi" : "h5");

interface PaySheetProps {
  order: Api["Order"];
  /** Whether the payment begins without another tap. */
  startsAtOnce: boolean;
  onClose: () => void;
}

function PayOnline({ order, provider, startsAtOnce }: Omit<PaySheetProps, "onClose"> & { provider: string }) {
  const { t } = useTranslation("payments");
  const navigate = useNavigate();
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
      if (outcome === "ok") await navigate(resultPage(order.id));
      return outcome;
    },
  });
  const canStart = method !== "jsapi" || appid !== undefined;
  useEffect(() => {
    if (!startsAtOnce || !canStart) return;
    // Whoever comes back to this page does not pay again by that.
    void navigate(`/orders/${order.id}`, { replace: true, state: null });
    pay.mutate();
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the sheet opens
  }, []);
  if (!canStart) return <p>{t("inWechat")}</p>;
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
export function PaySheet({ order, startsAtOnce, onClose }: PaySheetProps) {
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
          <PayOnline order={order} provider={provider} startsAtOnce={startsAtOnce} />
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
