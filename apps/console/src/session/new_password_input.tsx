import { PasswordInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { leastPassword } from "../../../shared/auth_failure.ts";

/** The password that an account will have. */
export function NewPasswordInput({ value, onChange }: { value: string; onChange: (password: string) => void }) {
  const { t } = useTranslation("session");
  return (
    <PasswordInput
      name="new-password"
      autoComplete="new-password"
      label={t("newPassword.label")}
      description={t("newPassword.hint", { count: leastPassword })}
      minLength={leastPassword}
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
    />
  );
}
