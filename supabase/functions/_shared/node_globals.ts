// `supabase functions serve` runs the sources, and the driver of the database takes globals of Node for granted that the
// edge runtime does not have.
import { Buffer } from "node:buffer";
import process from "node:process";
import { clearImmediate, setImmediate } from "node:timers";

Object.assign(globalThis, { Buffer, process, clearImmediate, setImmediate });
