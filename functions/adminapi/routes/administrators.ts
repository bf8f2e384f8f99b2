import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { area, role } from "../../_shared/resources/administrators.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { emailAddress, id, idText, listOf, time, visibleText, webAddress } from "../../_shared/resources/schemas.ts";
import { inviteAdministrator } from "../invite_administrator.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const authId = z.uuid().openapi({ description: "auth_id of the administrator." });
const roles = z.array(role).min(1).max(4);
const name = visibleText(64).openapi({
  description: bilingual("What administrators see in every record.", "管理员在各处记录中看到的姓名。"),
  example: "Wang Fang",
});

const administrator = z
  .strictObject({
    auth_id: z
      .uuid()
      .nullable()
      .openapi({
        description: bilingual(
          "The Auth account; null: an invitation that nobody has accepted.",
          "Auth 账号；null：尚未接受的邀请。",
        ),
      }),
    invitation_id: id.nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    uid: id
      .nullable()
      .openapi({ description: bilingual("The member, if the account has one.", "账号对应的会员（如有）。") }),
    roles: z.array(role),
    state: z.enum(["active", "blocked", "invited", "expired"]).openapi({
      description: bilingual(
        "blocked: the account is banned or lost its token role. invited: the link was not opened yet. expired: the invitation is too old, or its sender is no owner any more.",
        "blocked：账号已停用，或失去令牌中的角色。invited：链接尚未打开。expired：邀请已过期，或邀请人不再是所有者。",
      ),
    }),
    added_at: time.openapi({
      description: bilingual(
        "Since when the account is an administrator, or when the invitation was sent.",
        "成为管理员的时间，或发送邀请的时间。",
      ),
    }),
    added_by: actor.openapi({
      description: bilingual(
        "Who invited the administrator. Null means the owner of the database.",
        "邀请该管理员的人；null 表示数据库所有者。",
      ),
    }),
    last_sign_in_at: time.nullable(),
    expires_at: time
      .nullable()
      .openapi({ description: bilingual("Until when an invitation can be accepted.", "接受邀请的截止时间。") }),
    has_second_factor: z
      .boolean()
      .nullable()
      .openapi({
        description: bilingual(
          "Whether the account has a second factor that works; null: an invitation.",
          "账号是否有有效的第二重验证；null：邀请。",
        ),
      }),
    factor_removal: z
      .strictObject({ asked_by: actor, asked_at: time })
      .nullable()
      .openapi({
        description: bilingual(
          "Who asked to remove the second factor, which a second owner confirms within seven days; null: nobody.",
          "申请移除第二重验证的人，须由另一位所有者在七天内确认；null：没有申请。",
        ),
      }),
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
    summary: bilingual(
      "The name and the roles of the caller, and the areas that these allow",
      "当前管理员的名称、角色与可操作范围",
    ),
    response: own,
    calls: "get_own_roles",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/me",
    auth: "admin",
    tag: "System",
    summary: bilingual("Change the name under which other administrators see the caller", "修改其他管理员看到的名称"),
    request: { body: z.strictObject({ name }) },
    response: own,
    calls: "set_own_name",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/administrator",
    auth: "admin",
    tag: "System",
    summary: bilingual("All administrators and invitations", "全部管理员与邀请"),
    response: people,
    calls: "get_administrators",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/administrator/{auth_id}",
    auth: "admin",
    tag: "System",
    summary: bilingual("Change roles or name of an administrator", "修改管理员的角色或名称"),
    description: bilingual(
      "Roles count from the next request. Other roles need a second factor. Owners cannot give up their own role, and the last owner keeps it.",
      "角色从下一个请求起生效。更改角色需要第二重验证。所有者不能放弃自己的角色，最后一位所有者须保留。",
    ),
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
    summary: bilingual("Remove an administrator at once", "立即移除管理员"),
    description: bilingual(
      "The account remains, as that of a member. Owners cannot remove themselves, so one stays.",
      "账号保留为会员账号。所有者不能移除自己，因此至少保留一位。",
    ),
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
    summary: bilingual(
      "Ask for the removal of the second factor of an administrator who has lost it",
      "为丢失第二重验证的管理员申请解除",
    ),
    description: bilingual("A second owner confirms it within seven days.", "由第二位所有者在七天内确认。"),
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
    summary: bilingual(
      "Remove the second factors of an administrator, as another owner has asked",
      "按另一位所有者的申请解除管理员的第二重验证",
    ),
    description: bilingual(
      "Ends the sessions of the administrator, who can then set a second factor up anew.",
      "结束该管理员的会话，之后可重新设置第二重验证。",
    ),
    request: { path: z.strictObject({ auth_id: authId }) },
    response: people,
    errors: [
      "administrator_not_found",
      "own_account",
      "recent_sign_in_needed",
      "changed_meanwhile",
      "second_administrator_needed",
    ],
    calls: "confirm_factor_removal",
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/factor_removal/{auth_id}",
    auth: "admin",
    tag: "System",
    summary: bilingual("Take the request to remove a second factor back", "撤回解除第二重验证的申请"),
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
    summary: bilingual("Invite a colleague by email, or send an invitation again", "通过邮件邀请同事，或重新发送邀请"),
    description: bilingual(
      "The roles count as soon as the link of the mail was opened, within seven days; an account that exists already also sets a new password. " +
        "A repeated invitation replaces the earlier one. Needs a second factor. Idempotency-Key is rejected, because each request sends a mail.",
      "七天内打开邮件链接后角色即生效；已有账号还须设置新密码。重复邀请替换之前的邀请。需要第二重验证。每次请求都会发送邮件，因此不接受 Idempotency-Key。",
    ),
    request: {
      body: z.strictObject({
        email: emailAddress,
        roles,
        name: name.optional(),
        redirect_to: webAddress(500).openapi({
          description: bilingual(
            "The address of the console, to which the link leads. Auth must allow it.",
            "链接打开的管理后台地址，须在 Auth 中允许。",
          ),
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
    summary: bilingual("Withdraw an invitation", "撤回邀请"),
    description: bilingual(
      "An account that only the invitation has created is deleted, so that its link leads nowhere.",
      "仅由邀请创建的账号会被删除，其链接随之失效。",
    ),
    request: { path: z.strictObject({ id: idText }) },
    response: people,
    errors: ["administrator_not_found"],
    calls: "withdraw_invitation",
  }),
] as const;
