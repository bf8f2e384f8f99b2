import { Box, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Tile {
  name: string;
  figure: ReactNode;
  /** Below the figure. */
  note?: string | undefined;
}

const mostColumns = 5;

/** Figures side by side, in rows of about the same length. */
export function Tiles({ tiles }: { tiles: Tile[] }) {
  const columns = Math.ceil(tiles.length / Math.ceil(tiles.length / mostColumns));
  return (
    <Box
      component="dl"
      m={0}
      style={{
        display: "grid",
        gridTemplateColumns: `repeat(auto-fill, minmax(max(9.75rem, ${90 / columns}%), 1fr))`,
        gap: "0.75rem",
      }}
    >
      {tiles.map(({ name, figure, note }) => (
        <Paper key={name} withBorder p="sm" data-tile>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Box component="dd" m={0}>
            <Text fw={650} fz="lg">
              {figure}
            </Text>
            {note && (
              <Text size="xs" c="dimmed" component="div">
                {note}
              </Text>
            )}
          </Box>
        </Paper>
      ))}
    </Box>
  );
}
