import { Anchor, Button } from "@mantine/core";
import { Webhook } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { SecretDialog } from "../../components/secret_dialog.tsx";
import { useAdmin } from "../../store/store.ts";
import { useEventTitle } from "./event_titles.ts";
import { NewWebhookForm, type WithSecret } from "./webhook_form.tsx";
import { useWebhookState } from "./webhook_state.tsx";

const column = columnsOf<Admin["Webhook"]>();

export function Component() {
  const { t } = useTranslation(["webhooks", "actions"]);
  const result = useAdmin("/adminapi/webhook");
  const titleOf = useEventTitle();
  const stateOf = useWebhookState();
  const opened = useOpened("webhook");
  const [made, setMade] = useState<WithSecret>();
  const columns = [
    column.text("description", t("description"), {
      opens: true,
      cell: ({ id, description }) => (
        <Anchor component={Link} size="sm" to={`/webhooks/${id}`}>
          {description}
        </Anchor>
      ),
    }),
    column.text("url", t("address"), { clipped: true }),
    column.tag("state", t("state"), stateOf),
    column.count("waiting", t("waiting")),
    column.words("types", t("types"), ({ types }) => types.map(titleOf).join(t("actions:listed"))),
    column.time("created_at", t("created")),
  ];
  const make = (
    <Allowed area="keys">
      <Button leftSection={<Webhook size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("make.open")}
      </Button>
    </Allowed>
  );
  return (
    <Page title={t("title")} about={t("about")} actions={make}>
      <DataTable
        name="webhooks"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={{ result }}
        empty={t("empty")}
        first={make}
      />
      {opened.id === "new" && <NewWebhookForm onMade={setMade} onClose={opened.close} />}
      {made && (
        <SecretDialog
          title={t("secret.title", { name: made.webhook.description })}
          meaning={t("secret.meaning")}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        />
      )}
    </Page>
  );
}
