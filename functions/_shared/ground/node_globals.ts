// The bundler replaces these globals of Node by imports. In the edge runtime of Supabase, not all of them are global.
export { Buffer } from "node:buffer";
export { default as process } from "node:process";
export { clearImmediate, setImmediate } from "node:timers";
