import { Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import type { Column } from "../../components/data_table.tsx";
import { formatMoney, formatPoints, Money, Points } from "../../components/figures.tsx";
import { MemberLink, memberCsv, OrderLink, useMemberName } from "../../components/links.tsx";
import { Time } from "../../components/time.tsx";

type BillRow = Admin["BillRow"];

/** A change of a balance, with the new balance below it. Empty without a change. */
function Change({ isChanged, change, after }: { isChanged: boolean; change: React.ReactNode; after: string }) {
  const { t } = useTranslation("members");
  if (!isChanged) return null;
  return (
    <Stack gap={0}>
      {change}
      <Text size="xs" c="dimmed" className="figures">
        {t("bill.after", { amount: after })}
      </Text>
    </Stack>
  );
}

/** The origin of a row: its type and source, its calculation, and the row that it reverses. */
function Origin({ row: { type, source, basis, rate, reverses_id } }: { row: BillRow }) {
  const { t } = useTranslation(["members", "words"]);
  return (
    <Stack gap={0}>
      <Text size="sm">
        {t(`words:billType.${type}`)}
        {source !== "release" && (
          <Text span c="dimmed" size="xs">
            {" "}
            {t(`words:source.${source}`)}
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed" className="figures">
        {basis !== null && rate !== null && t("bill.how", { basis: formatPoints(basis), rate: formatPoints(rate) })}
        {reverses_id ? ` ${t("bill.reverses", { id: reverses_id })}` : ""}
      </Text>
    </Stack>
  );
}

/** The columns of a bill. @param withMember for rows of several members */
export function useBillColumns(withMember = false): Column<BillRow>[] {
  const { t } = useTranslation(["members", "words"]);
  const nameOf = useMemberName();
  return useMemo(
    () => [
      { id: "time", title: t("words:time"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      ...(withMember
        ? [
            {
              id: "member",
              title: t("words:member"),
              cell: ({ uid }: BillRow) => <MemberLink uid={uid} />,
              csv: ({ uid }: BillRow) => memberCsv(uid, nameOf(uid)),
            },
          ]
        : []),
      {
        id: "origin",
        title: t("bill.type"),
        cell: (row) => <Origin row={row} />,
        csv: ({ type, source }) =>
          [t(`words:billType.${type}`), source !== "release" && t(`words:source.${source}`)].filter(Boolean).join(", "),
      },
      ...(withMember
        ? []
        : [
            {
              id: "order",
              title: t("words:order"),
              cell: ({ order_id }: BillRow) => <OrderLink id={order_id} />,
              csv: ({ order_id }: BillRow) => order_id,
            },
          ]),
      {
        id: "brokerage",
        title: t("bill.brokerage"),
        align: "right",
        cell: (row) => (
          <Change
            isChanged={Number(row.brokerage) !== 0}
            change={<Money value={row.brokerage} signed />}
            after={formatMoney(row.brokerage_after)}
          />
        ),
        csv: ({ brokerage }) => brokerage,
      },
      {
        id: "frozen",
        title: t("bill.frozen"),
        align: "right",
        cell: (row) => (
          <Change
            isChanged={row.frozen_points !== 0}
            change={<Points value={row.frozen_points} signed />}
            after={formatPoints(row.frozen_points_after)}
          />
        ),
        csv: ({ frozen_points }) => frozen_points,
      },
      {
        id: "available",
        title: t("bill.available"),
        align: "right",
        cell: (row) => (
          <Change
            isChanged={row.available_points !== 0}
            change={<Points value={row.available_points} signed />}
            after={formatPoints(row.available_points_after)}
          />
        ),
        csv: ({ available_points }) => available_points,
      },
    ],
    [t, withMember, nameOf],
  );
}
