import { z } from "@hono/zod-openapi";
import { healthFields, metadataFields } from "../../_shared/resources/system.ts";
import { defineRoute } from "../../_shared/routes/route.ts";

const adminMetadata = metadataFields
  .extend(healthFields.shape)
  .extend({
    runtime: z.string(),
    database_version: z.string(),
    migration: z.string().nullable().openapi({ description: "The newest applied migration." }),
  })
  .openapi("AdminSystemMetadata");

export const systemRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/metadata",
    auth: "admin",
    tag: "System",
    summary: "Versions of the service, the runtime, the database and the schema, and the health of the jobs",
    response: adminMetadata,
    calls: "admin_get_system_metadata",
    args: (_input, { build }) => ({ p_version: build.version, p_commit: build.commit, p_runtime: build.runtime }),
  }),
] as const;
