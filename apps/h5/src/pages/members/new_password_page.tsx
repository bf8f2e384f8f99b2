import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useNavigate } from "react-router";
import { Form, SubmitButton } from "../../components/form.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { useForm } from "../../components/use_form.ts";
import { AuthFailureBox } from "../../session/auth_failure_box.tsx";
import { forgetMailLink, mailLink } from "../../session/auth_link.ts";
import { NewPasswordField } from "../../session/credential_fields.tsx";
import { useSession } from "../../session/session_context.ts";

/** Where the link of "Forgot password" leads: opens it and sets the password in its session. */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const navigate = useNavigate();
  const [link] = useState(mailLink);
  // A link works once, so a password that Auth rejects is sent again without it.
  const [isOpen, setOpen] = useState(false);
  const save = async (password: string) => {
    const rejected = isOpen || !link ? undefined : await session.open(link);
    if (rejected) return rejected;
    setOpen(true);
    return session.setPassword(password);
  };
  const form = useForm({ password: "" }, async ({ password }) => {
    const failure = await save(password);
    if (failure) return failure;
    forgetMailLink();
    notify(t("newPassword.saved"));
    await navigate("/me", { replace: true });
    return undefined;
  });

  if (!link) return <Navigate to="/forgot-password" replace />;
  return (
    <Page title={t("newPassword.title")} back="/">
      <Form of={form}>
        <AuthFailureBox failure={form.outcome} />
        {form.outcome === "link_used" && (
          <p className="center">
            <Link to="/forgot-password" replace>
              {t("forgot.again")}
            </Link>
          </p>
        )}
        <NewPasswordField label={t("newPassword.label")} {...form.field("password")} />
        <SubmitButton of={form}>{t("newPassword.save")}</SubmitButton>
      </Form>
    </Page>
  );
}
