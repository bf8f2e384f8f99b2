import { Badge, type BadgeProps } from "@mantine/core";
import type { ReactNode } from "react";

/** A short word in a coloured pill, which is never truncated. */
export function Tag({
  color = "indigo",
  children,
  ...others
}: { color?: string; children: ReactNode } & Pick<BadgeProps, "size" | "variant" | "ml">) {
  return (
    <Badge variant="light" color={color} tt="none" fw={550} miw="max-content" {...others}>
      {children}
    </Badge>
  );
}
