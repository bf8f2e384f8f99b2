import { Button, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { SecretDialog } from "../../components/secret_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { ReplayButton } from "./replay_button.tsx";
import { WebhookForm } from "./webhook_form.tsx";

interface Props {
  webhook: Admin["Webhook"];
}

function TestButton({ webhook: { id } }: Props) {
  const { t } = useTranslation("webhooks");
  const { admin } = useStore();
  const test = useConfirmedAction(
    useAction((_: undefined, key) => admin.POST("/adminapi/webhook/{id}/test", { params: { path: { id } }, ...key })),
    () => t("test.done"),
  );
  return (
    <>
      <Button variant="default" onClick={test.ask}>
        {t("test.open")}
      </Button>
      <ConfirmDialog
        {...test.dialog}
        title={t("test.title")}
        action={t("test.open")}
        onConfirm={() => test.confirm(undefined)}
      >
        <Text size="sm">{t("test.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

function SwitchButton({ webhook: { id, state } }: Props) {
  const { t } = useTranslation("webhooks");
  const { admin } = useStore();
  const turn = state === "on" ? "off" : "on";
  const toggle = useConfirmedAction(
    useAction((_: undefined, key) =>
      admin.PUT("/adminapi/webhook/{id}/state", { params: { path: { id } }, body: { on: turn === "on" }, ...key }),
    ),
    ({ state: now }) => t(now === "on" ? "turn.on.done" : "turn.off.done"),
  );
  return (
    <>
      <Button variant="default" onClick={toggle.ask}>
        {t(`turn.${turn}.open`)}
      </Button>
      <ConfirmDialog
        {...toggle.dialog}
        title={t(`turn.${turn}.title`)}
        action={t(`turn.${turn}.open`)}
        onConfirm={() => toggle.confirm(undefined)}
      >
        <Text size="sm">{t(`turn.${turn}.meaning`)}</Text>
      </ConfirmDialog>
    </>
  );
}

function RotateButton({ webhook: { id, description } }: Props) {
  const { t } = useTranslation("webhooks");
  const { admin } = useStore();
  const [hours, setHours] = useState<number | string>(24);
  const [secret, setSecret] = useState<string>();
  const rotate = useConfirmedAction(
    useAction(async (count: number) => {
      const reply = await admin.POST("/adminapi/webhook/{id}/secret", {
        params: { path: { id } },
        body: { hours: count },
      });
      if (reply.data) setSecret(reply.data.secret);
      return reply;
    }),
    () => t("rotate.done"),
  );
  const isWrong = !(Number.isInteger(hours) && Number(hours) >= 0 && Number(hours) <= 168);
  return (
    <>
      <Button variant="default" onClick={rotate.ask}>
        {t("rotate.open")}
      </Button>
      <ConfirmDialog
        {...rotate.dialog}
        title={t("rotate.title")}
        action={t("rotate.open")}
        disabled={isWrong}
        onConfirm={() => rotate.confirm(Number(hours))}
      >
        <Stack>
          <Text size="sm">{t("rotate.meaning")}</Text>
          <NumberInput
            label={t("rotate.hours")}
            value={hours}
            onChange={setHours}
            min={0}
            max={168}
            allowDecimal={false}
          />
        </Stack>
      </ConfirmDialog>
      {secret !== undefined && (
        <SecretDialog
          title={t("secret.title", { name: description })}
          meaning={t("secret.meaning")}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function DeleteButton({ webhook: { id, description } }: Props) {
  const { t } = useTranslation("webhooks");
  const { admin } = useStore();
  const navigate = useNavigate();
  const remove = useConfirmedAction(
    useAction(async (_: undefined, key) => {
      const reply = await admin.DELETE("/adminapi/webhook/{id}", { params: { path: { id } }, ...key });
      if (reply.response.ok) void navigate("/webhooks");
      return reply;
    }),
    () => t("remove.done", { name: description }),
  );
  return (
    <>
      <Button variant="default" onClick={remove.ask}>
        {t("remove.open")}
      </Button>
      <ConfirmDialog
        {...remove.dialog}
        title={t("remove.title", { name: description })}
        action={t("remove.open")}
        isDangerous
        onConfirm={() => remove.confirm(undefined)}
      >
        <Text size="sm">{t("remove.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

function ChangeButton({ webhook }: Props) {
  const { t } = useTranslation("webhooks");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t("change")}
      </Button>
      {isOpen && <WebhookForm webhook={webhook} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What an owner can do with a webhook. */
export function WebhookButtons({ webhook }: Props) {
  return (
    <Allowed area="keys">
      <ChangeButton webhook={webhook} />
      <TestButton webhook={webhook} />
      <SwitchButton webhook={webhook} />
      <RotateButton webhook={webhook} />
      <ReplayButton webhook={webhook} />
      <DeleteButton webhook={webhook} />
    </Allowed>
  );
}
