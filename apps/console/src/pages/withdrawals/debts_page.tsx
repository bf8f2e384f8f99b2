import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { formatCurrency } from "../../components/figures.tsx";
import { Page } from "../../components/page.tsx";
import { useList } from "../../components/use_list.ts";

const column = columnsOf<Admin["Debt"]>();

/** Members who owe commission, the largest debt first. */
export function Component() {
  const { t } = useTranslation(["withdrawals", "words"]);
  const list = useList("/adminapi/debt");
  const debts = list.result.data;
  const columns = [
    column.member("uid", t("words:member")),
    column.money("debt", t("debts.debt")),
    column.money("brokerage_price", t("debts.balance")),
    column.money("maturing", t("debts.maturing")),
    column.custom({
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
    }),
  ];
  return (
    <Page title={t("debts.title")} about={t("debts.about")}>
      {debts && debts.count > 0 && <Text fw={600}>{t("debts.total", { total: formatCurrency(debts.total) })}</Text>}
      <DataTable
        name="debts"
        label={t("debts.title")}
        columns={columns}
        rowId={({ uid }) => uid}
        list={list}
        empty={t("debts.empty")}
      />
    </Page>
  );
}
