import type { Admin } from "../../../client/index.ts";
import { useHasArea } from "../session/own_areas.ts";
import { Clipped } from "./clipped.tsx";
import { MemberLink, memberCsv } from "./links.tsx";

const width = "7rem";

/**
 * Who did something, with a link for those who may read members. A dash stands for the store itself, and for actions
 * from before the record existed.
 */
export function Actor({ actor }: { actor: Admin["Actor"] }) {
  const readsMembers = useHasArea("records");
  if (!actor) return <span>–</span>;
  const { uid, nickname, auth_id } = actor;
  return uid && readsMembers ? (
    <Clipped text={`${nickname ?? ""} ${uid}`.trim()} width={width}>
      <MemberLink uid={uid} nickname={nickname} />
    </Clipped>
  ) : (
    <Clipped text={nickname ?? auth_id} width={width} />
  );
}

/** The exported value of `Actor`. */
export function actorCsv(actor: Admin["Actor"]): string {
  if (!actor) return "";
  return actor.uid ? memberCsv(actor.uid, actor.nickname) : (actor.nickname ?? actor.auth_id);
}
