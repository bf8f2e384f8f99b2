import { Alert, Checkbox, NativeSelect, NumberInput, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { KEY_SCOPES } from "../../../../../functions/_shared/access/key_scopes.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";
import { scopeKey } from "./scope_key.ts";

/** A key that was made, with its secret. */
export interface MadeKey {
  secret: string;
  machine_key: Admin["MachineKey"];
}

type Fields = { name: string; scopes: Admin["MachineKey"]["scopes"]; months: string; calls_per_hour: number | string };

const empty: Fields = { name: "", scopes: [], months: "12", calls_per_hour: 3600 };
const lifetimes = [1, 3, 6, 12, 24];
const dayMs = 86_400_000;

/** Makes a machine key. */
export function KeyForm({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const { t } = useTranslation("machine_keys");
  const { admin } = useStore();
  const draft = useDraft<Fields>("machine key", empty, ({ name, scopes, calls_per_hour }) => ({
    ...(name.trim() === "" && { name: t("noName") }),
    ...(scopes.length === 0 && { scopes: t("noScope") }),
    ...(!(Number(calls_per_hour) >= 1 && Number(calls_per_hour) <= 100_000) && { calls_per_hour: t("wrongCalls") }),
  }));
  const { form } = draft;
  const make = useAction(async ({ name, scopes, months, calls_per_hour }: Fields) => {
    // A month of 30 days, so that 24 of them are within the two years that a key may have.
    const expires_at = new Date(Date.now() + Number(months) * 30 * dayMs).toISOString();
    const reply = await admin.POST("/adminapi/machine_key", {
      body: { name: name.trim(), scopes, expires_at, calls_per_hour: Number(calls_per_hour) },
    });
    if (reply.data) onMade(reply.data);
    return reply;
  });
  return (
    <FormDrawer title={t("make.open")} area="keys" draft={draft} save={make} added={t("make.done")} onClose={onClose}>
      <TextInput
        {...form.getInputProps("name")}
        label={t("name")}
        description={t("nameHint")}
        required
        maxLength={64}
        data-autofocus
      />
      <Checkbox.Group {...form.getInputProps("scopes")} label={t("scopes")} description={t("scopesHint")} required>
        <Stack mt="xs" gap="xs">
          {KEY_SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(scopeKey(scope))} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      {form.values.scopes.includes("money:write") && <Alert color="blue">{t("moneyHint")}</Alert>}
      <NativeSelect
        {...form.getInputProps("months")}
        label={t("expiry")}
        data={lifetimes.map((count) => ({ value: String(count), label: t("months", { count }) }))}
      />
      <NumberInput
        {...form.getInputProps("calls_per_hour")}
        label={t("callsPerHour")}
        min={1}
        max={100_000}
        allowDecimal={false}
        required
      />
    </FormDrawer>
  );
}
