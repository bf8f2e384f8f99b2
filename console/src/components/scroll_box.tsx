import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** What is too wide or too high scrolls within; the keyboard can reach and scroll it. @param label what is in it */
export function ScrollBox({ label, maxHeight, children }: { label: string; maxHeight?: number | undefined; children: ReactNode }) {
  return <Box tabIndex={0} role="group" aria-label={label} className="scroll-box" style={{ maxHeight }}>{children}</Box>;
}
