import { Button, Modal, Stack, TextInput } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "../components/failure_alert.tsx";
import { notify } from "../components/notify.ts";
import { useAdmin, useStore } from "../store/store.ts";
import { useAction } from "../../../shared/use_action.ts";

/** Changes the name under which colleagues see the signed-in administrator. */
export function OwnNameDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["session", "common"]);
  const { admin } = useStore();
  const { data } = useAdmin("/adminapi/me");
  const [name, setName] = useState(data?.name ?? "");
  const save = useAction((body: { name: string }, key) => admin.PUT("/adminapi/me", { body, ...key }));

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    save.mutate(
      { name: name.trim() },
      {
        onSuccess: () => {
          notify(t("common:saved"));
          onClose();
        },
      },
    );
  }

  return (
    <Modal opened onClose={onClose} title={t("ownName.change")} closeButtonProps={{ "aria-label": t("common:close") }}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="own-name"
            autoComplete="name"
            label={t("ownName.label")}
            description={t("ownName.hint")}
            required
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FailureAlert error={save.error} />
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
            {t("ownName.save")}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
