import { Button, Text } from "@mantine/core";
import { UserPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { useOwnAccount } from "../../session/session_context.ts";
import { useAdmin } from "../../store/store.ts";
import { AdministratorForm } from "./administrator_form.tsx";
import { InvitationForm } from "./invitation_form.tsx";
import { nameOf, PersonButtons } from "./person_buttons.tsx";

type Person = Admin["Administrator"];

const column = columnsOf<Person>();
const colours = { active: "green", blocked: "red", invited: "blue", expired: "gray" } as const;

export function Component() {
  const { t } = useTranslation(["administrators", "actions", "common"]);
  const result = useAdmin("/adminapi/administrator");
  const opened = useOpened("administrator");
  const own = useOwnAccount();
  const person = result.data?.list.find(({ auth_id }) => auth_id !== null && auth_id === opened.id);
  const shownName = (row: Person) => (row.auth_id === own ? t("own", { name: nameOf(row) }) : nameOf(row));
  const rolesOf = ({ roles }: Person) => roles.map((role) => t(`common:roles.names.${role}`)).join(t("actions:listed"));
  const columns = [
    column.custom({
      id: "name",
      title: t("name"),
      width: 184,
      cell: (row) =>
        row.auth_id === null ? (
          shownName(row)
        ) : (
          <OpenLink name="administrator" id={row.auth_id} title={shownName(row)} />
        ),
      csv: nameOf,
    }),
    column.tag("state", t("state"), ({ state }) => [t(`states.${state}`), colours[state]]),
    column.custom({ id: "actions", title: t("actions"), width: 256, cell: (row) => <PersonButtons person={row} /> }),
    column.words("roles", t("roles"), rolesOf),
    column.text("email", t("email"), { width: 184 }),
    column.words(
      "has_second_factor",
      t("secondFactor"),
      ({ has_second_factor, factor_removal }) => {
        if (has_second_factor === null) return "–";
        return factor_removal ? t("factorRemoval.waits") : t(has_second_factor ? "common:yes" : "common:no");
      },
      { width: 112 },
    ),
    column.time("last_sign_in_at", t("lastSignIn"), {
      cell: ({ last_sign_in_at, auth_id }) =>
        last_sign_in_at ? (
          <Time value={last_sign_in_at} />
        ) : (
          <Text span size="sm">
            {auth_id === null ? "–" : t("never")}
          </Text>
        ),
    }),
    column.time("added_at", t("since")),
    column.actor("added_by", t("addedBy")),
  ];
  return (
    <Page
      title={t("title")}
      about={t("about")}
      actions={
        <Allowed area="administrators">
          <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => opened.open("new")}>
            {t("invite.open")}
          </Button>
        </Allowed>
      }
    >
      <DataTable
        name="administrators"
        label={t("title")}
        columns={columns}
        rowId={({ auth_id, invitation_id }) => auth_id ?? `invitation ${invitation_id}`}
        list={{ result }}
        empty={t("empty")}
      />
      {opened.id === "new" && <InvitationForm onClose={opened.close} />}
      {person && <AdministratorForm key={person.auth_id} person={person} onClose={opened.close} />}
    </Page>
  );
}
