import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { formatMoney, Money } from "../../components/figures.tsx";
import { memberCsv, MemberLink, OrderLink } from "../../components/links.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Time } from "../../components/time.tsx";

type RetakenPlace = Admin["RetakenPlace"];
type OrderOnPlace = RetakenPlace["freed"];

const column = columnsOf<RetakenPlace>();

/** An order on the place, with its base, its buyer and when it left or took the place. */
function OrderOnPlace({ order: { order_id, uid, nickname, base, time } }: { order: OrderOnPlace }) {
  return (
    <Stack gap={0}>
      <span>
        <OrderLink id={order_id} /> · <Money value={base} />
      </span>
      <MemberLink uid={uid} nickname={nickname} />
      <Time value={time} />
    </Stack>
  );
}

const orderCsv = ({ order_id, uid, nickname, base }: OrderOnPlace) =>
  `${order_id}: ${formatMoney(base)}, ${memberCsv(uid, nickname)}`;

/** Places that refunds freed and that larger orders hold now. */
export function RetakenPlaces({ rows }: { rows: RetakenPlace[] }) {
  const { t } = useTranslation(["signals", "words"]);
  const columns = [
    column.member("uid", t("earner")),
    column.words("place", t("words:place"), ({ cycle_no, place }) => t("place", { cycle: cycle_no, place })),
    column.custom({
      id: "freed",
      title: t("freed"),
      cell: ({ freed }) => <OrderOnPlace order={freed} />,
      csv: ({ freed }) => orderCsv(freed),
    }),
    column.custom({
      id: "taken",
      title: t("taken"),
      cell: ({ taken }) => <OrderOnPlace order={taken} />,
      csv: ({ taken }) => orderCsv(taken),
    }),
    column.money("commission", t("words:commission")),
  ];
  return (
    <PlainTable
      label={t("kind.retaken_place.title")}
      columns={columns}
      rows={rows}
      rowId={({ freed }) => freed.order_id}
      exportAs="retaken places"
    />
  );
}
