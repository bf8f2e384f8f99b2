import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** A scrollable area that the keyboard can reach. @param label for screen readers */
export function ScrollBox({ label, maxHeight, children }: { label: string; maxHeight?: number | undefined; children: ReactNode }) {
  return <Box tabIndex={0} role="group" aria-label={label} className="scroll-box" style={{ maxHeight }}>{children}</Box>;
}
