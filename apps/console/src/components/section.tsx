import { Group, Paper, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A titled part of a page. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm" gap="xs">
        {/* A long title breaks before the actions leave its line. */}
        <div style={{ flex: "1 1 12rem" }}>
          <Title order={2} id={id}>
            {title}
          </Title>
          {about && (
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
