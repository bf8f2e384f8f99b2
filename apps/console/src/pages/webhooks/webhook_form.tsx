import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { EVENT_TYPES, type EventType } from "../../../../../functions/_shared/notices/event_types.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";
import { useEventTitle } from "./event_titles.ts";

/** A webhook whose secret was made. */
export interface WithSecret {
  secret: string;
  webhook: Admin["Webhook"];
}

const types = Object.keys(EVENT_TYPES) as EventType[];
const empty = { url: "https://", description: "", types: [] as EventType[] };

/** The form of a webhook. Every type of event is a choice. */
function useWebhookDraft(name: string, saved: typeof empty) {
  const { t } = useTranslation("webhooks");
  return useDraft(name, saved, ({ url, description, types: chosen }) => ({
    ...(!/^https:\/\/[^/?#@\s]+([/?][^#\s]*)?$/.test(url.trim()) && { url: t("wrongAddress") }),
    ...(description.trim() === "" && { description: t("noDescription") }),
    ...(chosen.length === 0 && { types: t("noType") }),
  }));
}

function Inputs({ form }: Pick<ReturnType<typeof useWebhookDraft>, "form">) {
  const { t } = useTranslation("webhooks");
  const titleOf = useEventTitle();
  return (
    <>
      <TextInput
        {...form.getInputProps("description")}
        label={t("description")}
        description={t("descriptionHint")}
        required
        maxLength={64}
        data-autofocus
      />
      <TextInput
        {...form.getInputProps("url")}
        label={t("address")}
        description={t("addressHint")}
        required
        maxLength={500}
        type="url"
      />
      <Checkbox.Group {...form.getInputProps("types")} label={t("types")} required>
        <Stack mt="xs" gap="xs">
          {types.map((type) => (
            <Checkbox key={type} value={type} label={titleOf(type)} description={type} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}

const trimmed = ({ url, description, types: chosen }: typeof empty) => ({
  url: url.trim(),
  description: description.trim(),
  types: chosen,
});

/** Makes a webhook. */
export function NewWebhookForm({ onMade, onClose }: { onMade: (made: WithSecret) => void; onClose: () => void }) {
  const { t } = useTranslation("webhooks");
  const { admin } = useStore();
  const draft = useWebhookDraft("webhook", empty);
  const make = useAction(async (fields: typeof empty) => {
    const reply = await admin.POST("/adminapi/webhook", { body: trimmed(fields) });
    if (reply.data) onMade(reply.data);
    return reply;
  });
  return (
    <FormDrawer title={t("make.open")} area="keys" draft={draft} save={make} added={t("make.done")} onClose={onClose}>
      <Inputs form={draft.form} />
    </FormDrawer>
  );
}

/** Changes a webhook. */
export function WebhookForm({
  webhook: { id, url, description, types: chosen },
  onClose,
}: {
  webhook: Admin["Webhook"];
  onClose: () => void;
}) {
  const { t } = useTranslation("webhooks");
  const { admin } = useStore();
  const draft = useWebhookDraft(`webhook ${id}`, { url, description, types: chosen });
  const save = useAction((fields: typeof empty, key) =>
    admin.PUT("/adminapi/webhook/{id}", { params: { path: { id } }, body: trimmed(fields), ...key }),
  );
  return (
    <FormDrawer title={t("change")} area="keys" draft={draft} save={save} onClose={onClose}>
      <Inputs form={draft.form} />
    </FormDrawer>
  );
}
