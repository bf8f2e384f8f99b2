// `supabase functions serve` runs the sources, and the driver of the database takes globals of Node for granted that the
// edge runtime does not have. The bundler replaces them by imports instead.
import * as globals from "../../../functions/_shared/ground/node_globals.ts";

Object.assign(globalThis, globals);
