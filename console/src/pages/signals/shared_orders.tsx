import { Group } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Money } from "../../components/figures.tsx";
import { memberCsv, MemberLink, OrderLink } from "../../components/links.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";

type SharedOrder = Admin["SharedOrder"];

/** Orders that share the payer or the delivery address with the buyer's referrer. */
export function SharedOrders({ rows }: { rows: SharedOrder[] }) {
  const { t } = useTranslation(["signals", "words"]);
  const columns = useMemo<Column<SharedOrder>[]>(() => {
    const sharedBy = ({ same_payer, same_address }: SharedOrder) =>
      [same_payer && t("samePayer"), same_address && t("sameAddress")].filter((word) => word !== false);
    return [
      { id: "order", title: t("words:order"), cell: ({ order_id }) => <OrderLink id={order_id} />, csv: ({ order_id }) => order_id },
      {
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
      },
      {
        id: "buyer",
        title: t("buyer"),
        cell: ({ uid, nickname }) => <MemberLink uid={uid} nickname={nickname} />,
        csv: ({ uid, nickname }) => memberCsv(uid, nickname),
      },
      {
        id: "referrer",
        title: t("words:referrer"),
        cell: ({ referrer_uid, referrer_nickname }) => <MemberLink uid={referrer_uid} nickname={referrer_nickname} />,
        csv: ({ referrer_uid, referrer_nickname }) => memberCsv(referrer_uid, referrer_nickname),
      },
      {
        id: "paid",
        title: t("paid"),
        align: "right",
        cell: ({ pay_price }) => <Money value={pay_price} />,
        csv: ({ pay_price }) => pay_price,
      },
      { id: "time", title: t("paidAt"), cell: ({ paid_at }) => <Time value={paid_at} />, csv: ({ paid_at }) => paid_at },
    ];
  }, [t]);
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
