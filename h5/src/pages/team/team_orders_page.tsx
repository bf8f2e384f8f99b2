import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Api, unwrap } from "../../../../client/index.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList } from "../../components/endless_list.tsx";
import { Money, Points } from "../../components/figures.tsx";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Time } from "../../components/time.tsx";
import { useStore } from "../../store/store.tsx";

function TeamOrder({ order }: { order: Api["TeamOrder"] }) {
  const { t } = useTranslation("team");
  return (
    <li className="bill-row">
      <span className="bill-type">
        {order.nickname} <span className="weak">{order.uid}</span>
      </span>
      <span className="bill-amounts">
        {order.commission === null && <span className="weak">{t("archived")}</span>}
        {order.commission !== null && order.commission !== "0.00" && <Money value={order.commission} signed />}
        {order.points !== null && order.points !== 0 && (
          <span>
            <Points value={order.points} signed /> <small>{t("points")}</small>
          </span>
        )}
      </span>
      <span className="weak">
        {t("base")} <Money value={order.base} />
      </span>
      <span className="weak bill-when">
        <Time value={order.paid_at} />
      </span>
      {(order.is_direct || !order.counts) && (
        <span className="tags">
          {order.is_direct && <span className="tag brand">{t("isDirect")}</span>}
          {!order.counts && <span className="tag">{t("notCounted")}</span>}
        </span>
      )}
    </li>
  );
}

/** The orders of the team that paid the member, or count for the member's tasks. */
export function Component() {
  const { t } = useTranslation("team");
  const api = useStore();
  const orders = useInfiniteQuery({
    queryKey: ["team orders"],
    queryFn: ({ pageParam: cursor }) =>
      unwrap(api.GET("/api/spread/order", { params: { query: { limit: 20, ...(cursor && { cursor }) } } })),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <Page title={t("teamOrders")} back="/team">
      <Refreshable>
        <EndlessList
          of={orders}
          label={t("teamOrders")}
          className="card rows"
          idOf={({ order_id }) => order_id}
          row={(order) => <TeamOrder order={order} />}
          empty={<Empty text={t("noOrders")} action={{ to: "/poster", label: t("poster") }} />}
        />
      </Refreshable>
    </Page>
  );
}
