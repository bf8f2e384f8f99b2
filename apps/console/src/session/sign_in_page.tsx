import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ForgotPasswordForm } from "./forgot_password_form.tsx";
import { SignInForm } from "./sign_in_form.tsx";
import { SignInFrame } from "./sign_in_frame.tsx";

export function SignInPage() {
  const { t } = useTranslation("session");
  const [hasForgotten, setForgotten] = useState(false);
  if (hasForgotten)
    return (
      <SignInFrame title={t("forgot.title")}>
        <ForgotPasswordForm onLeave={() => setForgotten(false)} />
      </SignInFrame>
    );
  return (
    <SignInFrame title={t("title")}>
      <Text c="dimmed" size="sm" mb="md">
        {t("forWhom")}
      </Text>
      <SignInForm />
      <Button variant="subtle" size="compact-sm" fullWidth mt="sm" onClick={() => setForgotten(true)}>
        {t("forgot.link")}
      </Button>
    </SignInFrame>
  );
}
