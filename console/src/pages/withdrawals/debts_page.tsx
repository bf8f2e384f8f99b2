import { Anchor, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { formatCurrency, Money } from "../../components/figures.tsx";
import { memberCsv, MemberLink } from "../../components/links.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { useAdmin } from "../../store/store.tsx";

type Debt = Admin["Debt"];

/** Members who owe commission, the largest debt first. */
export function Component() {
  const { t } = useTranslation(["withdrawals", "words"]);
  const state = useListState();
  const source = { path: "/adminapi/debt", params: { query: { page: state.page, limit: defaultPageSize } } } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { placeholderData: keepPreviousData });
  const columns = useMemo<Column<Debt>[]>(
    () => [
      {
        id: "member",
        title: t("words:member"),
        cell: ({ uid, nickname }) => <MemberLink uid={uid} nickname={nickname} />,
        csv: ({ uid, nickname }) => memberCsv(uid, nickname),
      },
      { id: "debt", title: t("debts.debt"), align: "right", cell: ({ debt }) => <Money value={debt} />, csv: ({ debt }) => debt },
      {
        id: "balance",
        title: t("debts.balance"),
        align: "right",
        cell: ({ brokerage_price }) => <Money value={brokerage_price} />,
        csv: ({ brokerage_price }) => brokerage_price,
      },
      {
        id: "maturing",
        title: t("debts.maturing"),
        align: "right",
        cell: ({ maturing }) => <Money value={maturing} />,
        csv: ({ maturing }) => maturing,
      },
      {
        id: "open",
        title: t("debts.open"),
        cell: ({ open_withdrawal_id: id }) =>
          id === null ? (
            "–"
          ) : (
            <Anchor component={Link} to={`/withdrawals/${id}`} size="sm">
              {t("debts.show")}
            </Anchor>
          ),
        csv: ({ open_withdrawal_id }) => open_withdrawal_id,
      },
    ],
    [t],
  );
  return (
    <Page title={t("debts.title")} about={t("debts.about")}>
      {result.data && result.data.count > 0 && <Text fw={600}>{t("debts.total", { total: formatCurrency(result.data.total) })}</Text>}
      <DataTable
        name="debts"
        label={t("debts.title")}
        columns={columns}
        rowId={({ uid }) => uid}
        result={result}
        state={state}
        source={source}
        empty={t("debts.empty")}
      />
    </Page>
  );
}
