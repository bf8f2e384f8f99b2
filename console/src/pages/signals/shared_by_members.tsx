import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { memberCsv, MemberLink } from "../../components/links.tsx";
import { PlainTable } from "../../components/plain_table.tsx";

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
      cell: ({ first_members }) => (
        <Stack gap={0}>
          {first_members.map(({ uid, nickname }) => (
            <MemberLink key={uid} uid={uid} nickname={nickname} />
          ))}
        </Stack>
      ),
      csv: ({ first_members }) => first_members.map(({ uid, nickname }) => memberCsv(uid, nickname)).join(", "),
    }),
    column.time("add_time", t("last")),
  ];
  return (
    <PlainTable label={t(`kind.${kind}.title`)} columns={columns} rows={rows} rowId={({ id }) => id} exportAs={kind.replace("_", " ")} />
  );
}
