import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { FirstMembers, firstMembersCsv } from "./first_members.tsx";

type Shared = Admin["SharedPerson"] | Admin["SharedAccount"];

const column = columnsOf<Shared>();

/** People and payout accounts of several members. */
export function SharedByMembers({ kind, rows }: { kind: Shared["kind"]; rows: Shared[] }) {
  const { t } = useTranslation(["signals", "real_names", "withdrawals"]);
  const columns = [
    column.words(kind, t(`sharedThing.${kind}`), (row) =>
      row.kind === "shared_person"
        ? `${t(`real_names:documents.${row.document}`)} ${row.number} ${row.name}`
        : `${t(`withdrawals:methods.${row.method}`)} ${row.account}`,
    ),
    column.count("members", t("who")),
    column.custom({
      id: "first_members",
      title: t("firstMembers"),
      cell: ({ first_members }) => <FirstMembers members={first_members} />,
      csv: ({ first_members }) => firstMembersCsv(first_members),
    }),
    column.time("add_time", t("last")),
  ];
  return (
    <PlainTable
      label={t(`kind.${kind}.title`)}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      exportAs={kind.replace("_", " ")}
    />
  );
}
