import { z } from "@hono/zod-openapi";
import { address, savedAddress } from "../../_shared/resources/addresses.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { flag, id, idPath } from "../../_shared/resources/schemas.ts";

const body = z.strictObject({ ...address.shape, is_default: flag.optional() }).openapi("AddressInput");

const argsOf = ({ is_default, ...fields }: z.output<typeof body>) => ({ p_address: fields, p_is_default: is_default });

export const addressRoutes = [
  defineRoute({
    method: "get",
    path: "/api/address",
    auth: "user",
    tag: "Addresses",
    summary: "The member's address book, the default address first",
    response: z.array(savedAddress),
    calls: "get_addresses",
  }),
  defineRoute({
    method: "post",
    path: "/api/address",
    auth: "user",
    tag: "Addresses",
    summary: "Add an address",
    description: "The first one becomes the default.",
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
    summary: "Replace an address",
    description: "Orders that were placed before keep the address that they copied.",
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
    summary: "Delete an address",
    description: "If it was the default, the newest of the others becomes the default.",
    request: { path: idPath },
    response: z.strictObject({ id }),
    errors: ["address_not_found"],
    calls: "delete_address",
    args: ({ path }) => ({ p_id: path.id }),
  }),
] as const;
