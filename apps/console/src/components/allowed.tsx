import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Area, useHasArea } from "../session/own_areas.ts";

interface AllowedProps {
  area: Area;
  /** Whether the explanation is only a tooltip, for controls in a row of a table. */
  inRow?: boolean;
  children: ReactNode;
}

/** Disables the controls within it, with an explanation, if the roles of the administrator do not allow the area. */
export function Allowed({ area, inRow = false, children }: AllowedProps) {
  const { t } = useTranslation("common");
  if (useHasArea(area)) return children;
  const reason = t("roles.notAllowed", { area: t(`roles.areas.${area}`) });
  return (
    <fieldset disabled title={reason} aria-label={reason} className="not-allowed">
      {children}
      {!inRow && (
        <Text size="xs" c="dimmed" mt={4}>
          {reason}
        </Text>
      )}
    </fieldset>
  );
}
