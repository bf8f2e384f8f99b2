import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { FirstMembers, firstMembersCsv } from "./first_members.tsx";

const column = columnsOf<Admin["ReservedStock"]>();

/** Products of whose stock unpaid orders hold a large part. */
export function ReservedStock({ rows }: { rows: Admin["ReservedStock"][] }) {
  const { t } = useTranslation("signals");
  const columns = [
    column.text("title", t("product")),
    column.count("units", t("reserved")),
    column.count("stock", t("left")),
    column.count("orders", t("orders")),
    column.count("members", t("who")),
    column.custom({
      id: "first_members",
      title: t("firstMembers"),
      cell: ({ first_members }) => <FirstMembers members={first_members} />,
      csv: ({ first_members }) => firstMembersCsv(first_members),
    }),
    column.time("oldest_at", t("since")),
  ];
  return (
    <PlainTable
      label={t("kind.reserved_stock.title")}
      columns={columns}
      rows={rows}
      rowId={({ product_id }) => product_id}
      exportAs="reserved stock"
    />
  );
}
