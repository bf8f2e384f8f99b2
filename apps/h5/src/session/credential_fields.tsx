import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { leastPassword } from "../../../shared/auth_failure.ts";
import { TextField } from "../components/field.tsx";
import { IconButton } from "../components/icon_button.tsx";
import styles from "./credential_fields.module.css";

/** The email address of an account. */
export function EmailField(props: Omit<ComponentProps<typeof TextField>, "label">) {
  const { t } = useTranslation("session");
  return (
    <TextField
      label={t("email")}
      type="email"
      name="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      required
      {...props}
    />
  );
}

/** A password, which can be shown. @param label by default "Password" */
export function PasswordField({
  label,
  ...props
}: Omit<ComponentProps<typeof TextField>, "label"> & { label?: string }) {
  const { t } = useTranslation("session");
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.password}>
      <TextField
        label={label ?? t("password")}
        type={isShown ? "text" : "password"}
        name="password"
        required
        {...props}
      />
      <IconButton
        label={t("showPassword")}
        icon={isShown ? EyeOff : Eye}
        size={20}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      />
    </div>
  );
}

/** The password that an account will have. */
export function NewPasswordField(props: ComponentProps<typeof PasswordField>) {
  const { t } = useTranslation("session");
  return (
    <PasswordField
      autoComplete="new-password"
      minLength={leastPassword}
      hint={t("passwordHint", { count: leastPassword })}
      {...props}
    />
  );
}
