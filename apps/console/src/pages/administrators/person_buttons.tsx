import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { notify, notifyFailure } from "../../components/notify.ts";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useOwnAccount } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { useInvite } from "./use_invite.ts";

type Person = Admin["Administrator"];

/** What an administrator is called: by name, or else by address. */
export const nameOf = ({ name, email }: Person) => name ?? email ?? "–";

function RemoveButton({ person }: { person: Person }) {
  const { t } = useTranslation("administrators");
  const { admin } = useStore();
  const name = nameOf(person);
  const remove = useConfirmedAction(
    useAction((auth_id: string, key) =>
      admin.DELETE("/adminapi/administrator/{auth_id}", { params: { path: { auth_id } }, ...key }),
    ),
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

/** The removal of a second factor that somebody has lost: one owner asks, another one confirms. */
function FactorRemovalButtons({ person }: { person: Person }) {
  const { t } = useTranslation("administrators");
  const { admin } = useStore();
  const own = useOwnAccount();
  const name = nameOf(person);
  const path = { params: { path: { auth_id: person.auth_id! } } };
  const ask = useConfirmedAction(
    useAction((_: undefined, key) => admin.POST("/adminapi/factor_removal/{auth_id}", { ...path, ...key })),
    () => t("factorRemoval.asked"),
  );
  const confirm = useConfirmedAction(
    useAction((_: undefined, key) => admin.PUT("/adminapi/factor_removal/{auth_id}", { ...path, ...key })),
    () => t("factorRemoval.confirmed", { name }),
  );
  const cancel = useAction((_: undefined, key) =>
    admin.DELETE("/adminapi/factor_removal/{auth_id}", { ...path, ...key }),
  );
  const asked = person.factor_removal;
  return (
    <>
      {!asked && (
        <Button size="compact-sm" variant="default" aria-label={t("factorRemoval.askFor", { name })} onClick={ask.ask}>
          {t("factorRemoval.ask")}
        </Button>
      )}
      {asked && asked.asked_by?.auth_id !== own && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("factorRemoval.confirmFor", { name })}
          onClick={confirm.ask}
        >
          {t("factorRemoval.confirm")}
        </Button>
      )}
      {asked && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("factorRemoval.cancelFor", { name })}
          loading={cancel.isPending}
          onClick={() =>
            cancel.mutate(undefined, {
              onSuccess: () => notify(t("factorRemoval.cancelled", { name })),
              onError: notifyFailure,
            })
          }
        >
          {t("factorRemoval.cancel")}
        </Button>
      )}
      <ConfirmDialog
        {...ask.dialog}
        title={t("factorRemoval.askTitle", { name })}
        action={t("factorRemoval.ask")}
        isDangerous
        onConfirm={() => ask.confirm(undefined)}
      >
        <Text size="sm">{t("factorRemoval.askMeaning", { name })}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        {...confirm.dialog}
        title={t("factorRemoval.confirmTitle", { name })}
        action={t("factorRemoval.confirm")}
        isDangerous
        onConfirm={() => confirm.confirm(undefined)}
      >
        <Text size="sm">{t("factorRemoval.confirmMeaning", { name, who: asked?.asked_by?.nickname ?? "–" })}</Text>
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
    useAction((id: number, key) =>
      admin.DELETE("/adminapi/administrator/invitation/{id}", { params: { path: { id } }, ...key }),
    ),
    () => t("invite.withdrawn"),
  );
  const again = () =>
    invite.mutate(
      { email, roles: person.roles, ...(person.name !== null && { name: person.name }) },
      { onSuccess: () => notify(t("invite.sent", { email })), onError: notifyFailure },
    );
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t("invite.againFor", { name })}
        loading={invite.isPending}
        onClick={again}
      >
        {t("invite.again")}
      </Button>
      <Button size="compact-sm" variant="default" aria-label={t("invite.withdrawFor", { name })} onClick={withdraw.ask}>
        {t("invite.withdraw")}
      </Button>
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
      <Group gap="xs">
        {person.invitation_id !== null ? <InvitationButtons person={person} /> : <RemoveButton person={person} />}
        {person.has_second_factor && <FactorRemovalButtons person={person} />}
      </Group>
    </Allowed>
  );
}
