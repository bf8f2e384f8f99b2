import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { area, role } from "../../_shared/resources/administrators.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { emailAddress, id, idText, listOf, time, visibleText, webAddress } from "../../_shared/resources/schemas.ts";
import { inviteAdministrator } from "../invite_administrator.ts";

const authId = z.uuid().openapi({ description: "auth_id of the administrator." });
const roles = z.array(role).min(1).max(4);
const name = visibleText(64).openapi({ description: "What administrators see in every record.", example: "Wang Fang" });

const administrator = z
  .strictObject({
    auth_id: z.uuid().nullable().openapi({ description: "The Auth account; null: an invitation that nobody has accepted." }),
    invitation_id: id.nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    uid: id.nullable().openapi({ description: "The member, if the account has one." }),
    roles: z.array(role),
    state: z.enum(["active", "blocked", "invited", "expired"]).openapi({
      description:
        "blocked: the account is banned or lost its token role. invited: the link was not opened yet. expired: the invitation is too old, or its sender is no owner any more.",
    }),
    added_at: time.openapi({ description: "Since when the account is an administrator, or when the invitation was sent." }),
    added_by: actor.openapi({ description: "Who invited the administrator. Null means the owner of the database." }),
    last_sign_in_at: time.nullable(),
    expires_at: time.nullable().openapi({ description: "Until when an invitation can be accepted." }),
    has_second_factor: z
      .boolean()
      .nullable()
      .openapi({ description: "Whether the account has a second factor that works; null: an invitation." }),
    factor_removal: z
      .strictObject({ asked_by: actor, asked_at: time })
      .nullable()
      .openapi({ description: "Who asked to remove the second factor, which a second owner confirms within seven days; null: nobody." }),
  })
  .openapi("Administrator");

const people = listOf(administrator);

const own = z
  .strictObject({ auth_id: z.uuid(), name: z.string().nullable(), roles: z.array(role), areas: z.array(area) })
  .openapi("OwnRoles");

export const administratorRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/me",
    auth: "admin",
    tag: "System",
    summary: "The name and the roles of the caller, and the areas that these allow",
    response: own,
    calls: "get_own_roles",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/me",
    auth: "admin",
    tag: "System",
    summary: "Change the name under which other administrators see the caller",
    request: { body: z.strictObject({ name }) },
    response: own,
    calls: "set_own_name",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/administrator",
    auth: "admin",
    tag: "System",
    summary: "All administrators and invitations",
    response: people,
    calls: "get_administrators",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/administrator/{auth_id}",
    auth: "admin",
    tag: "System",
    summary: "Change roles or name of an administrator",
    description:
      "Roles count from the next request. Other roles need a second factor. Owners cannot give up their own role, and the last owner keeps it.",
    request: {
      path: z.strictObject({ auth_id: authId }),
      body: z
        .strictObject({ roles: roles.optional(), name: name.optional() })
        .refine((body) => Object.keys(body).length > 0, "Send roles or name."),
    },
    response: people,
    errors: ["administrator_not_found", "own_account"],
    calls: "set_administrator",
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/administrator/{auth_id}",
    auth: "admin",
    tag: "System",
    summary: "Remove an administrator at once",
    description: "The account remains, as that of a member. Owners cannot remove themselves, so one stays.",
    request: { path: z.strictObject({ auth_id: authId }) },
    response: people,
    errors: ["administrator_not_found", "own_account"],
    calls: "remove_administrator",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/factor_removal/{auth_id}",
    auth: "admin",
    tag: "System",
    summary: "Ask for the removal of the second factor of an administrator who has lost it",
    description: "A second owner confirms it within seven days.",
    request: { path: z.strictObject({ auth_id: authId }) },
    response: people,
    errors: ["administrator_not_found", "own_account", "recent_sign_in_needed"],
    calls: "request_factor_removal",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/factor_removal/{auth_id}",
    auth: "admin",
    tag: "System",
    summary: "Remove the second factors of an administrator, as another owner has asked",
    description: "Ends the sessions of the administrator, who can then set a second factor up anew.",
    request: { path: z.strictObject({ auth_id: authId }) },
    response: people,
    errors: ["administrator_not_found", "own_account", "recent_sign_in_needed", "changed_meanwhile", "second_administrator_needed"],
    calls: "confirm_factor_removal",
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/factor_removal/{auth_id}",
    auth: "admin",
    tag: "System",
    summary: "Take the request to remove a second factor back",
    request: { path: z.strictObject({ auth_id: authId }) },
    response: people,
    errors: ["administrator_not_found", "changed_meanwhile"],
    calls: "cancel_factor_removal",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/administrator/invitation",
    auth: "admin",
    tag: "System",
    summary: "Invite a colleague by email, or send an invitation again",
    description:
      "The roles count as soon as the link of the mail was opened, within seven days; an account that exists already also sets a new password. " +
      "A repeated invitation replaces the earlier one. Needs a second factor. Idempotency-Key is rejected, because each request sends a mail.",
    request: {
      body: z.strictObject({
        email: emailAddress,
        roles,
        name: name.optional(),
        redirect_to: webAddress(500).openapi({
          description: "The address of the console, to which the link leads. Auth must allow it.",
          example: "https://console.example.com/",
        }),
      }),
    },
    status: 201,
    response: people,
    errors: ["mail_not_sent"],
    calls: "invite_administrator",
    handler: inviteAdministrator,
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/administrator/invitation/{id}",
    auth: "admin",
    tag: "System",
    summary: "Withdraw an invitation",
    description: "An account that only the invitation has created is deleted, so that its link leads nowhere.",
    request: { path: z.strictObject({ id: idText }) },
    response: people,
    errors: ["administrator_not_found"],
    calls: "withdraw_invitation",
  }),
] as const;
