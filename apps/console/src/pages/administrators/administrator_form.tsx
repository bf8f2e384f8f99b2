import { Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useOwnAccount } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { RolesInput } from "./roles_input.tsx";

/** Changes name and roles of an administrator. */
export function AdministratorForm({ person, onClose }: { person: Admin["Administrator"]; onClose: () => void }) {
  const { t } = useTranslation("administrators");
  const { admin } = useStore();
  const isOwn = useOwnAccount() === person.auth_id;
  const auth_id = person.auth_id!;
  const draft = useDraft(
    `administrator ${auth_id}`,
    { name: person.name ?? "", roles: person.roles },
    ({ name, roles }) => ({
      ...(name.trim() === "" && { name: t("noName") }),
      ...(roles.length === 0 && { roles: t("noRole") }),
    }),
  );
  const save = useAction((_: typeof draft.form.values, key) =>
    admin.PUT("/adminapi/administrator/{auth_id}", { params: { path: { auth_id } }, body: draft.changes(), ...key }),
  );
  return (
    <FormDrawer
      title={t("change.title", { name: person.name ?? person.email })}
      area="administrators"
      draft={draft}
      save={save}
      onClose={onClose}
    >
      <TextInput
        {...draft.form.getInputProps("name")}
        label={t("name")}
        description={t("nameHint")}
        required
        maxLength={64}
      />
      <RolesInput {...draft.form.getInputProps("roles")} />
      {isOwn && (
        <Text size="sm" c="dimmed">
          {t("change.ownRoles")}
        </Text>
      )}
    </FormDrawer>
  );
}
