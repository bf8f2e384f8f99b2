import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Account } from "./auth.ts";
import { LastingDialog } from "./lasting_dialog.tsx";
import { useSession } from "./session_context.ts";
import { SignInForm } from "./sign_in_form.tsx";

/** A sign-in dialog above the open page, so that its input is not lost. */
export function ExpiredDialog({ account }: { account: Account }) {
  const { t } = useTranslation("session");
  const session = useSession();
  return (
    <LastingDialog
      title={t("expired.title")}
      level={500}
      refusal={t("otherAccount")}
      onRefuse={() => void session.signOut()}
    >
      <Text mb="md">{t("expired.advice")}</Text>
      <SignInForm email={account.email} />
    </LastingDialog>
  );
}
