import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Clipped } from "../../components/clipped.tsx";
import { Count, Money, Points } from "../../components/figures.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";

/** The lines of an order, with the products as they were when it was placed. */
export function OrderLines({ lines }: { lines: Admin["OrderPage"]["lines"] }) {
  const { t } = useTranslation("orders");
  const columns = useMemo<Column<Admin["OrderLine"]>[]>(
    () => [
      {
        id: "product",
        title: t("lines.product"),
        cell: ({ title, is_queue_goods }) => (
          <>
            <Clipped text={title} /> {is_queue_goods && <Tag ml={4}>{t("lines.queueGoods")}</Tag>}
          </>
        ),
        csv: ({ title }) => title,
      },
      { id: "price", title: t("lines.price"), align: "right", cell: ({ price }) => <Money value={price} />, csv: ({ price }) => price },
      {
        id: "quantity",
        title: t("lines.quantity"),
        align: "right",
        cell: ({ quantity }) => <Count value={quantity} />,
        csv: ({ quantity }) => quantity,
      },
      {
        id: "points",
        title: t("lines.points"),
        align: "right",
        cell: ({ points }) => <Points value={points} />,
        csv: ({ points }) => points,
      },
      { id: "paid", title: t("lines.paid"), align: "right", cell: ({ paid }) => <Money value={paid} />, csv: ({ paid }) => paid },
      {
        id: "refunded",
        title: t("lines.refunded"),
        align: "right",
        cell: ({ refunded_quantity }) => <Count value={refunded_quantity} />,
        csv: ({ refunded_quantity }) => refunded_quantity,
      },
    ],
    [t],
  );
  return (
    <Section title={t("lines.title")}>
      <PlainTable label={t("lines.title")} columns={columns} rows={lines} rowId={({ id }) => id} exportAs="goods of an order" />
    </Section>
  );
}
