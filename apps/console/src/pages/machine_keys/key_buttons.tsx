import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";

type MachineKey = Admin["MachineKey"];

function RevokeButton({ machineKey: { id, name } }: { machineKey: MachineKey }) {
  const { t } = useTranslation("machine_keys");
  const { admin } = useStore();
  const revoke = useConfirmedAction(
    useAction((_: undefined, key) => admin.DELETE("/adminapi/machine_key/{id}", { params: { path: { id } }, ...key })),
    () => t("revoke.done", { name }),
  );
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t("revoke.for", { name })} onClick={revoke.ask}>
        {t("revoke.open")}
      </Button>
      <ConfirmDialog
        {...revoke.dialog}
        title={t("revoke.title", { name })}
        action={t("revoke.open")}
        isDangerous
        onConfirm={() => revoke.confirm(undefined)}
      >
        <Text size="sm">{t("revoke.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

function HandOverButton({ machineKey: { id, name, owner } }: { machineKey: MachineKey }) {
  const { t } = useTranslation("machine_keys");
  const { admin } = useStore();
  const people = useAdmin("/adminapi/administrator").data?.list ?? [];
  const [to, setTo] = useState("");
  const handOver = useConfirmedAction(
    useAction((auth_id: string, key) =>
      admin.PUT("/adminapi/machine_key/{id}/owner", { params: { path: { id } }, body: { owner: auth_id }, ...key }),
    ),
    () => t("handOver.done", { name }),
  );
  const others = people.flatMap(({ auth_id, state, name: label, email }) =>
    auth_id !== null && state === "active" && auth_id !== owner?.auth_id
      ? [{ value: auth_id, label: label ?? email ?? auth_id }]
      : [],
  );
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t("handOver.for", { name })} onClick={handOver.ask}>
        {t("handOver.open")}
      </Button>
      <ConfirmDialog
        {...handOver.dialog}
        title={t("handOver.title", { name })}
        action={t("handOver.open")}
        disabled={to === ""}
        onConfirm={() => handOver.confirm(to)}
      >
        <Stack>
          <Text size="sm">{t("handOver.meaning")}</Text>
          <NativeSelect
            label={t("handOver.to")}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            data={[{ value: "", label: "–" }, ...others]}
          />
        </Stack>
      </ConfirmDialog>
    </>
  );
}

/** What an owner can do with a key that may work. One that decides about money stays with whoever made it. */
export function KeyButtons({ machineKey }: { machineKey: MachineKey }) {
  if (!["active", "blocked"].includes(machineKey.state)) return null;
  return (
    <Allowed area="keys" inRow>
      <Group gap="xs">
        {!machineKey.scopes.includes("money:write") && <HandOverButton machineKey={machineKey} />}
        <RevokeButton machineKey={machineKey} />
      </Group>
    </Allowed>
  );
}
