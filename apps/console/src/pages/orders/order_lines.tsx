import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Clipped } from "../../components/clipped.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Pictured } from "../../components/thumbnail.tsx";

const column = columnsOf<Admin["OrderLine"]>();

/** The lines of an order, with the products as they were when it was placed. */
export function OrderLines({ lines }: { lines: Admin["OrderPage"]["lines"] }) {
  const { t } = useTranslation("orders");
  const columns = [
    column.text("title", t("lines.product"), {
      cell: ({ title, is_queue_goods, image }) => (
        <Pictured address={image}>
          <Clipped text={title} /> {is_queue_goods && <Tag ml={4}>{t("lines.queueGoods")}</Tag>}
        </Pictured>
      ),
    }),
    column.money("price", t("lines.price")),
    column.count("quantity", t("lines.quantity")),
    column.points("points", t("lines.points")),
    column.money("paid", t("lines.paid")),
    column.count("refunded_quantity", t("lines.refunded")),
  ];
  return (
    <Section title={t("lines.title")}>
      <PlainTable
        label={t("lines.title")}
        columns={columns}
        rows={lines}
        rowId={({ id }) => id}
        exportAs="goods of an order"
      />
    </Section>
  );
}
