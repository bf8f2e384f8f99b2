import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { notify } from "../../components/notify.ts";
import { SideDrawer } from "../../components/side_drawer.tsx";
import { failureOf } from "../../../../shared/failure.ts";
import { RolesInput } from "./roles_input.tsx";
import { useInvite } from "./use_invite.ts";

/** Invites a colleague. The roles count when the link of the mail was opened. */
export function InvitationForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["administrators", "common"]);
  const form = useForm<{ email: string; name: string; roles: Admin["Administrator"]["roles"] }>({
    initialValues: { email: "", name: "", roles: [] },
    validate: {
      email: (email) => (/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : t("noEmail")),
      name: (name) => (name.trim() === "" ? t("noName") : null),
      roles: (chosen) => (chosen.length === 0 ? t("noRole") : null),
    },
  });
  const invite = useInvite();
  const submit = ({ email, name, roles }: typeof form.values) =>
    invite.mutate(
      { email: email.trim(), name: name.trim(), roles },
      {
        onSuccess: () => {
          notify(t("invite.sent", { email: email.trim() }));
          onClose();
        },
        onError: (error) => form.setErrors(failureOf(error).fields),
      },
    );
  return (
    <SideDrawer title={t("invite.open")} waiting={invite.isPending} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack>
          <Alert color="blue">{t("invite.meaning")}</Alert>
          <TextInput
            {...form.getInputProps("email")}
            type="email"
            label={t("email")}
            required
            maxLength={255}
            data-autofocus
          />
          <TextInput
            {...form.getInputProps("name")}
            label={t("name")}
            description={t("nameHint")}
            required
            maxLength={64}
          />
          <RolesInput {...form.getInputProps("roles")} />
          <FailureAlert error={invite.error} marksFields />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={invite.isPending}>
              {t("common:cancel")}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {t("invite.send")}
            </Button>
          </Group>
        </Stack>
      </form>
    </SideDrawer>
  );
}
