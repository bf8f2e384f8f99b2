import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { notify } from "../../components/notify.ts";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useOwnAccount } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../web/use_action.ts";
import { useInvite } from "./use_invite.ts";

type Person = Admin["Administrator"];

/** What an administrator is called: by name, or else by address. */
export const nameOf = ({ name, email }: Person) => name ?? email ?? "–";

function RemoveButton({ person }: { person: Person }) {
  const { t } = useTranslation("administrators");
  const { admin } = useStore();
  const name = nameOf(person);
  const remove = useConfirmedAction(
    useAction((auth_id: string, key) => admin.DELETE("/adminapi/administrator/{auth_id}", { params: { path: { auth_id } }, ...key })),
    () => t("remove.done", { name }),
  );
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t("remove.for", { name })} onClick={remove.ask}>
        {t("remove.open")}
      </Button>
      <ConfirmDialog
        {...remove.dialog}
        title={t("remove.title", { name })}
        action={t("remove.open")}
        isDangerous
        onConfirm={() => remove.confirm(person.auth_id!)}
      >
        <Text size="sm">{t("remove.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

function InvitationButtons({ person }: { person: Person }) {
  const { t } = useTranslation("administrators");
  const { admin } = useStore();
  const name = nameOf(person);
  const email = person.email ?? "";
  const invite = useInvite();
  const withdraw = useConfirmedAction(
    useAction((id: number, key) => admin.DELETE("/adminapi/administrator/invitation/{id}", { params: { path: { id } }, ...key })),
    () => t("invite.withdrawn"),
  );
  const again = () =>
    invite.mutate(
      { email, roles: person.roles, ...(person.name !== null && { name: person.name }) },
      { onSuccess: () => notify(t("invite.sent", { email })) },
    );
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t("invite.againFor", { name })} loading={invite.isPending} onClick={again}>
        {t("invite.again")}
      </Button>
      <Button size="compact-sm" variant="default" aria-label={t("invite.withdrawFor", { name })} onClick={withdraw.ask}>
        {t("invite.withdraw")}
      </Button>
      <FailureAlert error={invite.error} />
      <ConfirmDialog
        {...withdraw.dialog}
        title={t("invite.withdrawTitle", { name })}
        action={t("invite.withdraw")}
        isDangerous
        onConfirm={() => withdraw.confirm(person.invitation_id!)}
      >
        <Text size="sm">{t("invite.withdrawMeaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

/** What an owner can do with a row of the list. Nobody removes themselves. */
export function PersonButtons({ person }: { person: Person }) {
  const isOwn = useOwnAccount() === person.auth_id;
  if (isOwn) return null;
  return (
    <Allowed area="administrators" inRow>
      <Group gap="xs">{person.invitation_id !== null ? <InvitationButtons person={person} /> : <RemoveButton person={person} />}</Group>
    </Allowed>
  );
}
