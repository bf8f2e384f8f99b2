import { Button, Text } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { SecretDialog } from "../../components/secret_dialog.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { KeyButtons } from "./key_buttons.tsx";
import { KeyForm, type MadeKey } from "./key_form.tsx";
import { scopeKey } from "./scope_key.ts";

const column = columnsOf<Admin["MachineKey"]>();
const colours = { active: "green", blocked: "red", ended: "gray", expired: "gray", revoked: "gray" } as const;

export function Component() {
  const { t } = useTranslation(["machine_keys", "actions"]);
  const result = useAdmin("/adminapi/machine_key");
  const opened = useOpened("key");
  const [made, setMade] = useState<MadeKey>();
  const listed = (scopes: Admin["MachineKey"]["scopes"]) =>
    scopes.map((scope) => t(scopeKey(scope))).join(t("actions:listed"));
  const columns = [
    column.text("name", t("name")),
    column.tag("state", t("state"), ({ state }) => [t(`states.${state}`), colours[state]]),
    column.custom({ id: "actions", title: t("actions"), width: 192, cell: (row) => <KeyButtons machineKey={row} /> }),
    column.words("scopes", t("scopes"), ({ scopes, lost_scopes }) =>
      lost_scopes.length === 0
        ? listed(scopes)
        : t("lostScopes", { scopes: listed(scopes), lost: listed(lost_scopes) }),
    ),
    column.actor("owner", t("owner")),
    column.time("ends_at", t("expires")),
    column.time("last_used_at", t("lastUsed"), {
      cell: ({ last_used_at }) =>
        last_used_at ? (
          <Time value={last_used_at} />
        ) : (
          <Text span size="sm">
            {t("never")}
          </Text>
        ),
    }),
    column.time("created_at", t("created")),
  ];
  const make = (
    <Allowed area="keys">
      <Button leftSection={<KeyRound size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("make.open")}
      </Button>
    </Allowed>
  );
  return (
    <Page title={t("title")} about={t("about")} actions={make}>
      <DataTable
        name="machine keys"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={{ result }}
        empty={t("empty")}
        first={make}
      />
      {opened.id === "new" && <KeyForm onMade={setMade} onClose={opened.close} />}
      {made && (
        <SecretDialog
          title={t("secret.title", { name: made.machine_key.name })}
          meaning={t("secret.meaning")}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        />
      )}
    </Page>
  );
}
