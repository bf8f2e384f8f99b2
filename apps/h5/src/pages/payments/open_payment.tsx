import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { NoticeBox } from "../../components/notice_box.tsx";
import { formatTime } from "../../components/time.tsx";
import { useApi } from "../../store/store.ts";

/**
 * The polling interval of an open payment, in milliseconds. The store queries the provider at most once in two seconds.
 */
const pause = 3000;

/** Shows that a payment was started and polls its state. When it is paid, the order is reloaded. */
export function OpenPayment({ order: { id, state } }: { order: Api["Order"] }) {
  const { t } = useTranslation("payments");
  const queries = useQueryClient();
  const { data } = useApi(
    "/api/order/{id}/payment",
    { params: { path: { id } } },
    {
      enabled: state === "unpaid",
      refetchInterval: ({ state: { data: known } }) => (known?.attempt?.state === "open" ? pause : false),
    },
  );
  const isSettled = state === "unpaid" && data !== undefined && data.order_state !== "unpaid";
  useEffect(() => {
    if (isSettled) void queries.invalidateQueries();
  }, [isSettled, queries]);
  if (state !== "unpaid" || data?.attempt?.state !== "open") return null;
  return (
    <NoticeBox role="status" title={t("open")}>
      <p>{t("waiting")}</p>
      <p>{t("until", { time: formatTime(data.attempt.expires_at) })}</p>
    </NoticeBox>
  );
}
