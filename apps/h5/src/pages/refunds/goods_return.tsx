import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Copyable } from "../../components/copyable.tsx";
import { Facts } from "../../components/facts.tsx";
import { LinkButton } from "../../components/link_button.tsx";
import { AddressText } from "../addresses/address_text.tsx";

type Refund = Api["Refund"];

/** Whether the buyer can enter or correct the return parcel. The store checks it again. */
export const isReturning = ({ state, goods_return }: Refund): boolean =>
  state === "requested" && goods_return !== null && goods_return.state !== "received";

/**
 * Whether the buyer can take a request back: nobody has answered it, and its goods were not sent. The store checks it
 * again.
 */
export const canTakeBack = ({ state, goods_return }: Refund): boolean =>
  state === "requested" && (goods_return === null || goods_return.state === "asked");

/** Where the goods of a request return to, and in which parcel. */
export function GoodsReturn({ refund }: { refund: Refund }) {
  const { t, i18n } = useTranslation(["refunds", "orders"]);
  const { goods_return, order_id } = refund;
  if (!goods_return) return null;
  const { address, carrier, carrier_name, carrier_name_zh, tracking_no, tracking_url } = goods_return;
  return (
    <>
      {isReturning(refund) && <AddressText address={address} />}
      <Facts
        items={[
          [t("orders:carrier"), (i18n.language === "zh" ? carrier_name_zh : carrier_name) ?? carrier],
          [
            t("orders:trackingNo"),
            tracking_no && <Copyable key="number" text={tracking_no} label={t("orders:copyTracking")} />,
          ],
          [
            t("orders:track"),
            tracking_url && (
              <a key="track" href={tracking_url} target="_blank" rel="noreferrer">
                {t("orders:trackAtCarrier")}
              </a>
            ),
          ],
        ]}
      />
      {isReturning(refund) && (
        <LinkButton to={`/orders/${order_id}/return`}>{t(tracking_no ? "return.correct" : "return.enter")}</LinkButton>
      )}
    </>
  );
}
