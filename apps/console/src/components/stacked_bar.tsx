import { Box, Group, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";

/** A part of a sum. `share` is what it adds to the bar; what only reduces another part has none. */
interface Part {
  name: string;
  figure: ReactNode;
  share?: number;
  /** Whether the sum has it with a minus sign. */
  isSubtracted?: boolean;
}

/** A sum as a bar of its parts, and below it the same as an equation. */
export function StackedBar({ name, figure, parts }: { name: string; figure: ReactNode; parts: Part[] }) {
  const whole = parts.reduce((sum, { share = 0 }) => sum + share, 0);
  return (
    <div>
      <Box className="stacked-bar" aria-hidden>
        {whole > 0 &&
          parts.map(
            ({ name: part, share = 0 }, at) =>
              share > 0 && <span key={part} className={`part-${at}`} style={{ width: `${(share / whole) * 100}%` }} />,
          )}
      </Box>
      <dl className="equation">
        <div>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fw={650} fz="lg">
            {figure}
          </Text>
        </div>
        {parts.map(({ name: part, figure: amount, share, isSubtracted }, at) => (
          <Fragment key={part}>
            <Text span c="dimmed" aria-hidden>
              {at === 0 ? "=" : isSubtracted ? "−" : "+"}
            </Text>
            <div>
              <Group component="dt" gap={4} wrap="nowrap">
                {share !== undefined && <span className={`stacked-key part-${at}`} aria-hidden />}
                <Text size="xs" c="dimmed">
                  {part}
                </Text>
              </Group>
              <Text component="dd" m={0} fw={550}>
                {amount}
              </Text>
            </div>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}
