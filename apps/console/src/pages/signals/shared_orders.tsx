import { Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Tag } from "../../components/tag.tsx";

type SharedOrder = Admin["SharedOrder"];

const column = columnsOf<SharedOrder>();

/** Orders that share the payer or the delivery address with the buyer's referrer. */
export function SharedOrders({ rows }: { rows: SharedOrder[] }) {
  const { t } = useTranslation(["signals", "words"]);
  const sharedBy = ({ same_payer, same_address }: SharedOrder) =>
    [same_payer && t("samePayer"), same_address && t("sameAddress")].filter((word) => word !== false);
  const columns = [
    column.order("order_id", t("words:order")),
    column.custom({
      id: "shared",
      title: t("shared"),
      cell: (row) => (
        <Group gap={6}>
          {sharedBy(row).map((word) => (
            <Tag key={word} color="orange">
              {word}
            </Tag>
          ))}
        </Group>
      ),
      csv: (row) => sharedBy(row).join(", "),
    }),
    column.member("uid", t("buyer")),
    column.member("referrer_uid", t("words:referrer"), { name: "referrer_nickname" }),
    column.money("pay_price", t("paid")),
    column.time("paid_at", t("paidAt")),
  ];
  return (
    <PlainTable
      label={t("kind.shared_order.title")}
      columns={columns}
      rows={rows}
      rowId={({ order_id }) => order_id}
      exportAs="shared orders"
    />
  );
}
