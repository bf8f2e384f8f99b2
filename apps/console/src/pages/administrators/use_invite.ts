import type { AdminRoutes } from "../../../../client/index.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { siteAddress } from "../../../../shared/auth_link.ts";

type Invitation = Omit<AdminRoutes["POST"]["/adminapi/administrator/invitation"]["request"]["body"], "redirect_to">;

/** Sends an invitation, or sends it again. Each request sends a mail, so it has no idempotency key. */
export function useInvite() {
  const { admin } = useStore();
  return useAction((invitation: Invitation) =>
    admin.POST("/adminapi/administrator/invitation", { body: { ...invitation, redirect_to: siteAddress() } }),
  );
}
