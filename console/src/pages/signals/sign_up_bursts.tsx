import { Anchor } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { Count } from "../../components/figures.tsx";
import { memberCsv, MemberLink } from "../../components/links.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Time } from "../../components/time.tsx";

type SignUpBurst = Admin["SignUpBurst"];

/** Many sign-ups under one referrer in a short time. */
export function SignUpBursts({ rows }: { rows: SignUpBurst[] }) {
  const { t } = useTranslation(["signals", "words"]);
  const columns = useMemo<Column<SignUpBurst>[]>(
    () => [
      {
        id: "referrer",
        title: t("words:referrer"),
        cell: ({ uid, nickname }) => <MemberLink uid={uid} nickname={nickname} />,
        csv: ({ uid, nickname }) => memberCsv(uid, nickname),
      },
      {
        id: "members",
        title: t("signUps"),
        align: "right",
        cell: ({ members }) => <Count value={members} />,
        csv: ({ members }) => members,
      },
      { id: "begins", title: t("first"), cell: ({ begins_at }) => <Time value={begins_at} />, csv: ({ begins_at }) => begins_at },
      { id: "ends", title: t("last"), cell: ({ ends_at }) => <Time value={ends_at} />, csv: ({ ends_at }) => ends_at },
      {
        id: "who",
        title: t("who"),
        cell: ({ uid }) => (
          <Anchor component={Link} to={`/users/${uid}?tab=direct`} size="sm">
            {t("show")}
          </Anchor>
        ),
      },
    ],
    [t],
  );
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
