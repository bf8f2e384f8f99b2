import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import type { Column } from "../../components/column.ts";
import { formatPoints, Money, Points } from "../../components/figures.tsx";
import { useMemberName } from "../../components/links.tsx";
import { BillRowLink } from "../bill/bill_row_link.tsx";

type BillRow = Admin["BillRow"];

const column = columnsOf<BillRow>();

/** The columns of a bill. @param withMember for rows of several members */
export function useBillColumns(withMember = false): Column<BillRow>[] {
  const { t } = useTranslation(["members", "words"]);
  const nameOf = useMemberName();
  // A balance that a row does not change has no amount.
  const points = (key: "frozen_points" | "available_points", title: string) =>
    column.points(key, title, { cell: (row) => row[key] !== 0 && <Points value={row[key]} signed /> });
  const pointsAfter = (key: "frozen_points" | "available_points", title: string) =>
    column.points(`${key}_after`, t("bill.after", { balance: title }), {
      cell: (row) => row[key] !== 0 && <Points value={row[`${key}_after`]} />,
    });
  return [
    column.time("add_time", t("words:time")),
    ...(withMember ? [column.member("uid", t("words:member"), { name: nameOf })] : []),
    column.custom({
      id: "origin",
      title: t("bill.type"),
      width: 156,
      cell: ({ type, source }) => (
        <>
          {t(`words:billType.${type}`)}
          {source !== "release" && (
            <Text span c="dimmed" size="xs">
              {" "}
              {t(`words:source.${source}`)}
            </Text>
          )}
        </>
      ),
      csv: ({ type, source }) =>
        [t(`words:billType.${type}`), source !== "release" && t(`words:source.${source}`)].filter(Boolean).join(", "),
    }),
    ...(withMember ? [] : [column.order("order_id", t("words:order"))]),
    column.money("brokerage", t("bill.brokerage"), {
      cell: (row) => Number(row.brokerage) !== 0 && <Money value={row.brokerage} signed />,
    }),
    points("frozen_points", t("bill.frozen")),
    points("available_points", t("bill.available")),
    column.custom({
      id: "how",
      title: t("bill.computation"),
      width: 136,
      cell: ({ basis, rate }) =>
        basis !== null &&
        rate !== null && (
          <span className="figures">{t("bill.how", { basis: formatPoints(basis), rate: formatPoints(rate) })}</span>
        ),
    }),
    column.custom({
      id: "reversals",
      title: t("bill.reversals"),
      width: 136,
      cell: ({ reverses_id, reversed_by = [] }: BillRow & { reversed_by?: number[] }) => (
        <Group gap={4}>
          {reverses_id && <BillRowLink id={reverses_id} label={t("bill.reverses", { id: reverses_id })} />}
          {reversed_by.map((id) => (
            <BillRowLink key={id} id={id} label={t("bill.reversedBy", { id })} />
          ))}
        </Group>
      ),
    }),
    // By its name, the type check takes it for a time.
    column.custom({
      id: "brokerage_after",
      title: t("bill.after", { balance: t("bill.brokerage") }),
      align: "right",
      isAmount: true,
      width: 112,
      csv: ({ brokerage_after }) => brokerage_after,
      cell: (row) => Number(row.brokerage) !== 0 && <Money value={row.brokerage_after} />,
    }),
    pointsAfter("frozen_points", t("bill.frozen")),
    pointsAfter("available_points", t("bill.available")),
  ];
}
