import { Text } from "@mantine/core";
import type { Admin } from "../../../client/index.ts";
import { MemberLink } from "./member_link.tsx";

/** Who did something by hand. Nobody is a dash: the store itself, or before it was recorded. */
export function Actor({ actor }: { actor: Admin["Actor"] }) {
  if (!actor) return <span>–</span>;
  return actor.uid ? <MemberLink uid={actor.uid} nickname={actor.nickname} /> : <Text span size="sm" title={actor.auth_id}>{actor.nickname ?? actor.auth_id.slice(0, 8)}</Text>;
}
