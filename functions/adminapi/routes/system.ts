import { z } from "@hono/zod-openapi";
import { healthFields, metadataFields } from "../../_shared/resources/system.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const adminMetadata = metadataFields
  .extend(healthFields.shape)
  .extend({
    runtime: z.string(),
    database_version: z.string(),
    migration: z
      .string()
      .nullable()
      .openapi({ description: bilingual("The newest applied migration.", "最近应用的迁移。") }),
  })
  .openapi("AdminSystemMetadata");

export const systemRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/metadata",
    auth: "admin",
    tag: "System",
    summary: bilingual(
      "Versions of the service, the runtime, the database and the schema, and the health of the jobs",
      "服务、运行时、数据库与结构的版本，以及任务的健康状况",
    ),
    response: adminMetadata,
    calls: "admin_get_system_metadata",
    args: (_input, { build }) => ({ p_version: build.version, p_commit: build.commit, p_runtime: build.runtime }),
  }),
] as const;
