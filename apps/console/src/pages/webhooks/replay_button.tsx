import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatCount } from "../../components/figures.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";

/** Sends the events of some business days again. The number that is shown is the number that is sent. */
export function ReplayButton({ webhook: { id } }: { webhook: Admin["Webhook"] }) {
  const { t } = useTranslation("webhooks");
  const { admin } = useStore();
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const days = useStoreDays(from, to);
  const period = days?.from && days.to ? { from: days.from, to: days.to } : undefined;
  const replay = useConfirmedAction(
    useAction((body: { from: string; to: string; events: number }, key) =>
      admin.POST("/adminapi/webhook/{id}/replay", { params: { path: { id } }, body, ...key }),
    ),
    ({ events }) => t("replay.done", { count: events }),
  );
  const preview = useAdmin(
    "/adminapi/webhook/{id}/replay",
    { params: { path: { id }, query: period ?? { from: "", to: "" } } },
    { enabled: replay.dialog.opened && period !== undefined },
  );
  const events = preview.data?.events;
  return (
    <>
      <Button variant="default" onClick={replay.ask}>
        {t("replay.open")}
      </Button>
      <ConfirmDialog
        {...replay.dialog}
        title={t("replay.title")}
        action={t("replay.open")}
        disabled={!events}
        onConfirm={() => replay.confirm({ ...period!, events: events! })}
      >
        <Stack>
          <Text size="sm">{t("replay.meaning")}</Text>
          <TextInput
            type="date"
            label={t("replay.from")}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            required
          />
          <TextInput
            type="date"
            label={t("replay.to")}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            required
          />
          <FailureAlert error={period && preview.error} />
          <Text size="sm" role="status">
            {period && events !== undefined && t("replay.events", { count: events, number: formatCount(events) })}
          </Text>
        </Stack>
      </ConfirmDialog>
    </>
  );
}
