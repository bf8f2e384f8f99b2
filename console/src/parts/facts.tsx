import { SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Names and values side by side, as a description list. */
export function Facts({ facts, columns = 4 }: { facts: [name: string, value: ReactNode][]; columns?: number }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: Math.min(3, columns), lg: columns }} spacing="md" verticalSpacing="sm" m={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">{name}</Text>
          <Text component="dd" m={0} fw={550} style={{ overflowWrap: "anywhere" }}>{value}</Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
