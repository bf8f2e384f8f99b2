import { Stack } from "@mantine/core";
import type { Admin } from "../../../../client/index.ts";
import { memberCsv, MemberLink } from "../../components/links.tsx";

type Members = Admin["ReservedStock"]["first_members"];

/** The first members of a signal, one below the other. */
export function FirstMembers({ members }: { members: Members }) {
  return (
    <Stack gap={0}>
      {members.map(({ uid, nickname }) => (
        <MemberLink key={uid} uid={uid} nickname={nickname} />
      ))}
    </Stack>
  );
}

/** The same for a file. */
export const firstMembersCsv = (members: Members): string =>
  members.map(({ uid, nickname }) => memberCsv(uid, nickname)).join(", ");
