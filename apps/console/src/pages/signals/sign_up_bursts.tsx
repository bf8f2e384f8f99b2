import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { PlainTable } from "../../components/plain_table.tsx";

type SignUpBurst = Admin["SignUpBurst"];

const column = columnsOf<SignUpBurst>();

/** Many sign-ups under one referrer in a short time. */
export function SignUpBursts({ rows }: { rows: SignUpBurst[] }) {
  const { t } = useTranslation(["signals", "words"]);
  const columns = [
    column.member("uid", t("words:referrer")),
    column.count("members", t("signUps")),
    column.time("begins_at", t("first")),
    column.time("ends_at", t("last")),
    column.custom({
      id: "who",
      title: t("who"),
      cell: ({ uid }) => (
        <Anchor component={Link} to={`/users/${uid}?tab=direct`} size="sm">
          {t("show")}
        </Anchor>
      ),
    }),
  ];
  return (
    <PlainTable
      label={t("kind.sign_up_burst.title")}
      columns={columns}
      rows={rows}
      rowId={({ last_uid }) => last_uid}
      exportAs="bursts of sign-ups"
    />
  );
}
