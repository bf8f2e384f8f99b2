import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** A description list with as many columns as fit. */
export function DescriptionList({ items }: { items: [name: string, value: ReactNode][] }) {
  return (
    <Box
      component="dl"
      m={0}
      style={{
        display: "grid",
        gridTemplateColumns: "repeat(auto-fill, minmax(min(9.5rem, 100%), 1fr))",
        gap: "0.75rem 1rem",
      }}
    >
      {items.map(([name, value]) => (
        <Box key={name} style={{ minWidth: 0 }}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fw={550} style={{ overflowWrap: "anywhere" }}>
            {value}
          </Text>
        </Box>
      ))}
    </Box>
  );
}
