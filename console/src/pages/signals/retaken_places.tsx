import { Stack } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { formatMoney, Money } from "../../components/figures.tsx";
import { memberCsv, MemberLink, OrderLink } from "../../components/links.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Time } from "../../components/time.tsx";

type RetakenPlace = Admin["RetakenPlace"];
type OrderOnPlace = RetakenPlace["freed"];

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

const orderCsv = ({ order_id, uid, nickname, base }: OrderOnPlace) => `${order_id}: ${formatMoney(base)}, ${memberCsv(uid, nickname)}`;

/** Places that refunds freed and that larger orders hold now. */
export function RetakenPlaces({ rows }: { rows: RetakenPlace[] }) {
  const { t } = useTranslation(["signals", "words"]);
  const columns = useMemo<Column<RetakenPlace>[]>(() => {
    const placeOf = ({ cycle_no, place }: RetakenPlace) => t("place", { cycle: cycle_no, place });
    return [
      {
        id: "earner",
        title: t("earner"),
        cell: ({ uid, nickname }) => <MemberLink uid={uid} nickname={nickname} />,
        csv: ({ uid, nickname }) => memberCsv(uid, nickname),
      },
      { id: "place", title: t("words:place"), cell: placeOf, csv: placeOf },
      { id: "freed", title: t("freed"), cell: ({ freed }) => <OrderOnPlace order={freed} />, csv: ({ freed }) => orderCsv(freed) },
      { id: "taken", title: t("taken"), cell: ({ taken }) => <OrderOnPlace order={taken} />, csv: ({ taken }) => orderCsv(taken) },
      {
        id: "commission",
        title: t("words:commission"),
        align: "right",
        cell: ({ commission }) => <Money value={commission} />,
        csv: ({ commission }) => commission,
      },
    ];
  }, [t]);
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
