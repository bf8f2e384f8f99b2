import { z } from "@hono/zod-openapi";
import { address, savedAddress } from "../../_shared/resources/addresses.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { flag, id, idPath } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const body = z.strictObject({ ...address.shape, is_default: flag.optional() }).openapi("AddressInput");

const argsOf = ({ is_default, ...fields }: z.output<typeof body>) => ({ p_address: fields, p_is_default: is_default });

export const addressRoutes = [
  defineRoute({
    method: "get",
    path: "/api/address",
    auth: "user",
    tag: "Addresses",
    summary: bilingual("The member's address book, the default address first", "会员的地址簿，默认地址在前"),
    response: z.array(savedAddress),
    calls: "get_addresses",
  }),
  defineRoute({
    method: "post",
    path: "/api/address",
    auth: "user",
    tag: "Addresses",
    summary: bilingual("Add an address", "新增地址"),
    description: bilingual("The first one becomes the default.", "第一个地址成为默认地址。"),
    request: { body },
    status: 201,
    response: savedAddress,
    errors: ["too_many_addresses"],
    calls: "create_address",
    args: ({ body }) => argsOf(body),
  }),
  defineRoute({
    method: "put",
    path: "/api/address/{id}",
    auth: "user",
    tag: "Addresses",
    summary: bilingual("Replace an address", "替换地址"),
    description: bilingual(
      "Orders that were placed before keep the address that they copied.",
      "已下的订单保留下单时的地址。",
    ),
    request: { path: idPath, body },
    response: savedAddress,
    errors: ["address_not_found"],
    calls: "set_address",
    args: ({ path, body }) => ({ p_id: path.id, ...argsOf(body) }),
  }),
  defineRoute({
    method: "delete",
    path: "/api/address/{id}",
    auth: "user",
    tag: "Addresses",
    summary: bilingual("Delete an address", "删除地址"),
    description: bilingual(
      "If it was the default, the newest of the others becomes the default.",
      "若为默认地址，则其余最新的地址成为默认。",
    ),
    request: { path: idPath },
    response: z.strictObject({ id }),
    errors: ["address_not_found"],
    calls: "delete_address",
    args: ({ path }) => ({ p_id: path.id }),
  }),
] as const;
