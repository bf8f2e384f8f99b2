import { Checkbox, Stack } from "@mantine/core";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { roles } from "../../store/enumerations.ts";

/** The choice of roles, each with what it allows. */
export function RolesInput(props: Omit<ComponentProps<typeof Checkbox.Group>, "children">) {
  const { t } = useTranslation(["administrators", "common"]);
  return (
    <Checkbox.Group {...props} label={t("roles")} required>
      <Stack mt="xs" gap="xs">
        {roles.map((role) => (
          <Checkbox
            key={role}
            value={role}
            label={t(`common:roles.names.${role}`)}
            description={t(`roleMeaning.${role}`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
