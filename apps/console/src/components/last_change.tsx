import { Text } from "@mantine/core";
import type { Admin } from "../../../client/index.ts";
import { Actor } from "./actor.tsx";
import { Time } from "./time.tsx";

/** When something was last changed, and by whom, if that is known. */
export function LastChange({ at, by }: { at: string; by: Admin["Actor"] }) {
  return (
    <Text span size="sm">
      <Time value={at} />
      {by && (
        <>
          {" "}
          · <Actor actor={by} />
        </>
      )}
    </Text>
  );
}
