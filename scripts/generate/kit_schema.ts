import { join } from "node:path";
import { z } from "zod";
import { vector } from "../../kit/format.ts";
import { projectRoot } from "../ground/paths.ts";

export const kitSchemaFile = join(projectRoot, "kit/vector.schema.json");

/** The JSON Schema of the vectors in `kit/vectors`. */
export const kitSchema = (): string => `${JSON.stringify(z.toJSONSchema(vector, { reused: "ref" }), null, 2)}\n`;
