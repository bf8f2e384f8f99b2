import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { type Api, answerOf } from "../../../../client/index.ts";
import { Choices } from "../../components/choices.tsx";
import { Empty } from "../../components/empty.tsx";
import { EndlessList } from "../../components/endless_list.tsx";
import { formatPoints, formatShare, Money, Points } from "../../components/figures.tsx";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Time } from "../../components/time.tsx";
import { useStore } from "../../store/store.tsx";

type Row = Api["BillRow"];
type Filter = Row["type"] | "all";

const filters: readonly Filter[] = ["all", "brokerage", "frozen_points_brokerage", "frozen_points_release", "brokerage_reversal", "frozen_points_reversal", "opening_balance", "withdrawal", "withdrawal_returned", "points_spent", "points_returned", "adjustment"];

/** How an amount was computed. */
function Basis({ row: { source, basis, rate } }: { row: Row }) {
  const { t } = useTranslation("bill");
  if (basis === null || rate === null) return t(`source.${source}`);
  const factor = source === "cycle" && rate <= 1 || source === "release" ? formatShare(rate) : formatPoints(rate);
  return `${t(`source.${source}`)} · ${formatPoints(basis)} × ${factor}`;
}

function BillRow({ row }: { row: Row }) {
  const { t } = useTranslation("bill");
  const changes = [
    row.brokerage !== "0.00" && <Money key="money" value={row.brokerage} signed />,
    row.available_points !== 0 && <span key="available"><Points value={row.available_points} signed /> <small>{t("available")}</small></span>,
    row.frozen_points !== 0 && <span key="frozen"><Points value={row.frozen_points} signed /> <small>{t("frozen")}</small></span>,
  ];
  return (
    <li className="bill-row">
      <span className="bill-type">{t(`type.${row.type}`)}</span>
      <span className="bill-amounts">{changes}</span>
      <span className="weak"><Basis row={row} /></span>
      <span className="weak bill-when"><Time value={row.add_time} />{row.order_id !== null && <span>{t("order", { id: row.order_id })}</span>}</span>
    </li>
  );
}

export function Component() {
  const { t } = useTranslation("bill");
  const api = useStore();
  const [parameters, setParameters] = useSearchParams();
  const chosen = filters.find((filter) => filter === parameters.get("type")) ?? "all";
  const bill = useInfiniteQuery({
    queryKey: ["bill", chosen],
    queryFn: ({ pageParam: cursor }) => answerOf(api.GET("/api/bill", { params: { query: { limit: 30, ...(chosen !== "all" && { type: chosen }), ...(cursor && { cursor }) } } })),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <Page title={t("title")} back="/me">
      <Choices label={t("filter")} values={filters} value={chosen} nameOf={(filter) => t(`filters.${filter}`)} onChange={(filter) => setParameters(filter === "all" ? {} : { type: filter }, { replace: true })} />
      <Refreshable>
        <EndlessList of={bill} label={t("title")} className="card rows" idOf={({ id }) => id} row={(row) => <BillRow row={row} />} empty={<Empty text={t("empty")} action={{ to: "/poster", label: t("share") }} />} />
      </Refreshable>
    </Page>
  );
}
