import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notify } from "../components/notify.ts";
import { QueryResult } from "../components/query_result.tsx";
import { Time } from "../components/time.tsx";
import type { SessionFailure } from "./auth.ts";
import { CodeForm, NewFactorForm } from "./factor_forms.tsx";
import type { Factor } from "./factors.ts";
import { useSession } from "./session_context.ts";
import { SessionFailureAlert } from "./session_failure_alert.tsx";
import { useFactors } from "./use_factors.ts";

function FactorRow({ factor, onRemoved }: { factor: Factor; onRemoved: () => void }) {
  const { t } = useTranslation("session");
  const { factors } = useSession();
  const [failure, setFailure] = useState<SessionFailure>();
  const [waiting, setWaiting] = useState(false);
  async function remove() {
    setWaiting(true);
    const result = await factors.remove(factor.id);
    setWaiting(false);
    setFailure(result);
    if (!result) onRemoved();
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">
          {t("factor.app")} <Time value={factor.created_at} />
        </Text>
        <Button size="compact-sm" variant="default" loading={waiting} onClick={() => void remove()}>
          {t("factor.remove")}
        </Button>
      </Group>
      <SessionFailureAlert failure={failure} />
    </Stack>
  );
}

/** The second factors of the signed-in administrator. To change them, this session proves one first. */
export function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["session", "common"]);
  const result = useFactors();
  const [isAdding, setAdding] = useState(false);
  const saved = (text: string) => () => {
    notify(text);
    setAdding(false);
    void result.refetch();
  };
  return (
    <Modal opened onClose={onClose} title={t("factor.title")} closeButtonProps={{ "aria-label": t("common:close") }}>
      <QueryResult of={result}>
        {({ list, areProved }) => {
          if (list.length === 0 || isAdding) return <NewFactorForm onDone={saved(t("factor.added"))} />;
          if (!areProved)
            return (
              <Stack>
                <Text size="sm">{t("factor.reasons.second_factor_required")}</Text>
                <CodeForm factor={list.at(-1)!.id} onDone={saved(t("factor.proved"))} />
              </Stack>
            );
          return (
            <Stack>
              {list.map((factor) => (
                <FactorRow key={factor.id} factor={factor} onRemoved={saved(t("factor.removed"))} />
              ))}
              {list.length === 1 && <Alert color="blue">{t("factor.onlyOne")}</Alert>}
              <Button variant="default" onClick={() => setAdding(true)}>
                {t("factor.another")}
              </Button>
            </Stack>
          );
        }}
      </QueryResult>
    </Modal>
  );
}
